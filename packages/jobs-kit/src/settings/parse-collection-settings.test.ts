import { expect, test } from 'vitest'
import type { CollectionSettingsInput } from './collection-settings.ts'
import { parseCollectionSettings } from './parse-collection-settings.ts'

const parse = (raw: unknown) => parseCollectionSettings('c0ffee', raw)

test.each([undefined, null, {}])('%j means all defaults', (raw) => {
  expect(parse(raw)).toEqual({
    language: 'nb',
    timeZone: 'Europe/Oslo',
    names: [],
    models: { routine: 'sidelinja/rutine', reasoning: 'sidelinja/resonnering', embedding: 'sidelinja/embed' },
    prompts: {},
    budget: {},
    followUps: {},
    statistics: { mediaPrefixes: [], episodes: {} },
    embeddings: { chunkTokens: 600 },
    suggestEdges: { enabled: true, minCharacters: 200 },
  })
})

test('everything that can be set is kept', () => {
  const settings = {
    language: 'nn-NO',
    timeZone: 'Atlantic/Reykjavik',
    names: ['Åse Øvrebø'],
    models: { routine: 'a', reasoning: 'b', embedding: 'c' },
    prompts: { meeting_summarize: 'Kort.' },
    budget: { perJobUsd: 0.5, perDayUsd: 0, perMonthUsd: 20 },
    forgejo: { repository: 'redaksjon/arkiv', branch: 'hoved', folder: 'tekst/2026' },
    followUps: { whisper_transcribe: ['openrouter_analyze', 'generate_embeddings'] },
    statistics: { mediaPrefixes: ['/media/'], episodes: { '/media/ep001.mp3': { durationS: 720, headerBytes: 4096 } } },
    embeddings: { dimensions: 1024, chunkTokens: 300 },
    suggestEdges: { enabled: false, minCharacters: 50 },
  } satisfies CollectionSettingsInput
  expect(parse(settings)).toEqual(settings)
})

test('defaults are filled in below a given key', () => {
  expect(parse({ statistics: { episodes: { '/a.mp3': { durationS: 1.5 } } } }).statistics).toEqual({
    mediaPrefixes: [],
    episodes: { '/a.mp3': { durationS: 1.5, headerBytes: 0 } },
  })
  expect(parse({ forgejo: { repository: 'a/b' } }).forgejo).toEqual({ repository: 'a/b', branch: 'main', folder: '' })
})

const wrong: [raw: unknown, problem: string][] = [
  [{ languge: 'nb' }, 'metadata.jobs: unknown key "languge", did you mean "language"?'],
  [{ time_zone: 'Europe/Oslo' }, 'metadata.jobs: unknown key "time_zone", did you mean "timeZone"?'],
  [{ TimeZone: 'Europe/Oslo' }, 'metadata.jobs: unknown key "TimeZone", did you mean "timeZone"?'],
  [{ statistics: { mediaPrefix: [] } }, 'metadata.jobs.statistics: unknown key "mediaPrefix", did you mean "mediaPrefixes"?'],
  [{ colour: 'red' }, 'metadata.jobs: unknown key "colour", the known keys are language, timeZone, names, '],
  [
    { statistics: { episodes: { '/media/ep 1.mp3': { duration: 720, durationS: 720 } } } },
    'metadata.jobs.statistics.episodes["/media/ep 1.mp3"]: unknown key "duration", did you mean "durationS"?',
  ],
  [JSON.parse('{"__proto__":{"language":"en"}}'), 'metadata.jobs: unknown key "__proto__"'],
  ['nb', 'metadata.jobs: expected object, got string "nb"'],
  [[], 'metadata.jobs: expected object, got array of 0'],
  [{ language: 47 }, 'metadata.jobs.language: expected string, got number 47'],
  [{ language: 'norsk' }, 'metadata.jobs.language: expected a language tag, like "nb", "nn" or "en", got string "norsk"'],
  [{ timeZone: 'Europe/Olso' }, 'metadata.jobs.timeZone: expected an IANA time zone, like "Europe/Oslo", got string "Europe/Olso"'],
  [{ timeZone: '+01:00' }, 'metadata.jobs.timeZone: expected an IANA time zone'],
  [{ timeZone: '' }, 'metadata.jobs.timeZone: expected an IANA time zone'],
  [{ names: ['Åse', 3] }, 'metadata.jobs.names[1]: expected string, got number 3'],
  [{ names: 'Åse' }, 'metadata.jobs.names: expected array, got string "Åse"'],
  [
    { prompts: { 'Meeting Summarize': 'x' } },
    'metadata.jobs.prompts["Meeting Summarize"]: wrong key, expected a job type, like whisper_transcribe',
  ],
  [{ budget: { perDayUsd: -1 } }, 'metadata.jobs.budget.perDayUsd: expected number to be >=0, got number -1'],
  [{ budget: { perDayUsd: null } }, 'metadata.jobs.budget.perDayUsd: expected number, got null'],
  [{ forgejo: {} }, 'metadata.jobs.forgejo.repository: expected string, got nothing'],
  [
    { forgejo: { repository: 'a/b', folder: '../x' } },
    'metadata.jobs.forgejo.folder: expected a relative folder, like "transcripts", got string "../x"',
  ],
  [{ forgejo: { repository: 'a/b', folder: '/x' } }, 'metadata.jobs.forgejo.folder: expected a relative folder'],
  [
    { followUps: { whisper_transcribe: 'srt_parse' } },
    'metadata.jobs.followUps.whisper_transcribe: expected array, got string "srt_parse"',
  ],
  [
    { statistics: { mediaPrefixes: ['media/'] } },
    'metadata.jobs.statistics.mediaPrefixes[0]: expected a decoded URL path that begins with /',
  ],
  [{ statistics: { episodes: { '/a': {} } } }, 'metadata.jobs.statistics.episodes["/a"].durationS: expected number, got nothing'],
  [
    { statistics: { episodes: { '/a': { durationS: '720' } } } },
    'metadata.jobs.statistics.episodes["/a"].durationS: expected number, got string "720"',
  ],
  [{ statistics: { episodes: { '/a': { durationS: 0 } } } }, '.durationS: expected number to be >0, got number 0'],
  [{ statistics: { episodes: { '/a': { durationS: 1, headerBytes: 0.5 } } } }, '.headerBytes: expected int, got number 0.5'],
  [{ suggestEdges: false }, 'metadata.jobs.suggestEdges: expected object, got false'],
  [{ names: ['x'.repeat(201)] }, `metadata.jobs.names[0]: expected string to have <=200 characters, got string "${'x'.repeat(59)}…`],
]

test.each(wrong)('%j is refused: %s', (raw, problem) => {
  expect(() => parse(raw)).toThrow(
    expect.objectContaining({ code: 'COLLECTION_SETTINGS_INVALID', kind: 'permanent', message: expect.stringContaining(problem) }),
  )
})

test('a question is not followed by a full stop', () => {
  expect(() => parse({ modles: {} })).toThrow(/did you mean "models"\? Correct its node, then retry the job\.$/)
  expect(() => parse({ names: [1] })).toThrow(/got number 1\. Correct its node/)
})

test('all problems are named at once, at most five, with the collection', () => {
  expect(() => parse({ a: 1, language: 1, timeZone: 1 })).toThrow(
    /^The settings of collection c0ffee are wrong: .*language: .*; .*timeZone: .*unknown key "a"/,
  )
  expect(() => parse({ names: [1, 2, 3, 4, 5, 6, 7] })).toThrow(/names\[4\]: .*; and 2 more\. Correct its node/)
})
