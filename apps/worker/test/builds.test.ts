import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { spawnWorker } from './spawn-worker.ts'

// The real builds, from source: what each of them needs, and that it says so in one go.

const mainOf = (build: string) => join(import.meta.dirname, '../builds', build, 'src/main.ts')
const unset = (needed: string, root: string) =>
  `- ${needed} files below ${root}, but ${root} is not set. Set it to the folder, or choose a build or types that do without.`
const noServer =
  '- whisper_transcribe needs a transcription server, but WHISPER_URL is not set. Set it to the address of one, or choose a build or types that do without.'
const noGateway = (needed: string) =>
  `- ${needed} an AI gateway, but AI_GATEWAY_URL is not set. Set it to the address of one, or choose a build or types that do without.`
const noFfmpeg = expect.stringMatching(
  /^- generate_waveform and whisper_transcribe need ffmpeg, and "\/nowhere\/ffmpeg" cannot be run \(ENOENT\)\. Install ffmpeg/,
)
const noFolder = '- LOG_ROOT is "/nowhere/logs": there is no such folder. Set LOG_ROOT to a folder this process may read.'
const heavy = ['generate_waveform', 'openrouter_analyze', 'whisper_transcribe']
const light = [
  'ai_text_process',
  'dictation_cleanup',
  'generate_embeddings',
  'meeting_summarize',
  'prompt_eval',
  'research_clip',
  'srt_parse',
  'stats_parse',
  'suggest_edges',
  'summarize_communication',
  'url_ingest',
  'valgomat_generate_profile',
  'valgomat_moderation',
]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())
const spawn = (build: string, env: Record<string, string>, args: string[] = []) =>
  spawnWorker(['start', ...args], { DATABASE_URL: database.connectionString, ...env }, mainOf(build))

test.each([
  [
    'worker',
    [
      noGateway(
        'ai_text_process, dictation_cleanup, generate_embeddings, meeting_summarize, openrouter_analyze, prompt_eval, research_clip, suggest_edges, summarize_communication, url_ingest, valgomat_generate_profile and valgomat_moderation need',
      ),
      unset('generate_waveform, srt_parse and whisper_transcribe need', 'MEDIA_ROOT'),
      ...[noFfmpeg, noFolder, noServer],
    ],
  ],
  [
    'worker-heavy',
    [unset('generate_waveform and whisper_transcribe need', 'MEDIA_ROOT'), noFfmpeg, noGateway('openrouter_analyze needs'), noServer],
  ],
  [
    'worker-light',
    [
      noGateway(
        'ai_text_process, dictation_cleanup, generate_embeddings, meeting_summarize, prompt_eval, research_clip, suggest_edges, summarize_communication, url_ingest, valgomat_generate_profile and valgomat_moderation need',
      ),
      unset('srt_parse needs', 'MEDIA_ROOT'),
      noFolder,
    ],
  ],
])('%s says all that is missing in one go, and ends with 2', async (build, sentences) => {
  const worker = spawn(build, { FFMPEG_PATH: '/nowhere/ffmpeg', LOG_ROOT: '/nowhere/logs' })
  expect(await worker.exited).toBe(2)
  const [first, ...lines] = worker.errors().trimEnd().split('\n')
  expect([first, lines]).toEqual([`sidelinja-worker: ${sentences.length} things are missing:`, sentences])
  expect(worker.output()).toBe('')
})

test('what is missing is told while the database is away, too', async () => {
  const worker = spawn('worker-light', {
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/db',
    LOG_ROOT: tmpdir(),
    AI_GATEWAY_URL: 'http://127.0.0.1:1',
  })
  expect([await worker.exited, worker.errors()]).toEqual([2, `sidelinja-worker: ${unset('srt_parse needs', 'MEDIA_ROOT').slice(2)}\n`])
})

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 2 tests, needs ffmpeg')

describe.skipIf(!ffmpeg).each([
  ['worker', [...heavy, ...light].toSorted()],
  ['worker-heavy', heavy],
])('%s with what it needs', (build, types) => {
  test('runs its types, says which variables do nothing or are doubtful, and shows no secret', async () => {
    // Nobody is there: a server is asked by jobs, not at start.
    const transcription = { WHISPER_URL: 'http://127.0.0.1:1', WHISPER_API_KEY: 'hunter2' }
    const gateway = { AI_GATEWAY_URL: 'http://127.0.0.1:1/v1', AI_GATEWAY_KEY: 'hunter2' }
    const services = { ...transcription, ...gateway, FORGEJO_TOKEN: 'hunter2' }
    const worker = spawn(build, { MEDIA_ROOT: tmpdir(), LOG_ROOT: tmpdir(), ...services })
    expect(await worker.seen('worker.started')).toMatchObject({ build, types })
    expect(await worker.seen('setting.unused')).toMatchObject({
      ...{ level: 'warn', msg: 'FORGEJO_TOKEN does nothing, because FORGEJO_URL is not set.' },
    })
    expect(await worker.seen('setting.doubtful')).toMatchObject({
      level: 'warn',
      msg: expect.stringMatching(/^AI_GATEWAY_URL ends in \/v1, /),
    })
    worker.child.kill('SIGTERM')
    expect([await worker.exited, worker.errors()]).toEqual([0, ''])
    expect(worker.output()).not.toContain('hunter2')
  })
})

test('worker-light with what it needs runs its types, and says which variable is misspelt', async () => {
  const worker = spawn('worker-light', {
    MEDIA_ROOT: tmpdir(),
    LOG_ROOT: tmpdir(),
    AI_GATEWAY_URL: 'http://127.0.0.1:1',
    WHISPER_ULR: 'hunter2',
  })
  expect(await worker.seen('worker.started')).toMatchObject({ build: 'worker-light', types: light })
  expect(await worker.seen('setting.unknown')).toMatchObject({
    ...{ level: 'warn', msg: 'WHISPER_ULR is not known and was ignored. Did you mean WHISPER_URL?' },
  })
  worker.child.kill('SIGTERM')
  expect([await worker.exited, worker.errors()]).toEqual([0, ''])
  expect(worker.output()).not.toContain('hunter2')
})

test('--types leaves out what the others need', async () => {
  const worker = spawn('worker', { LOG_ROOT: tmpdir() }, ['--types', 'stats_parse'])
  expect(await worker.seen('worker.started')).toMatchObject({ types: ['stats_parse'] })
  worker.child.kill('SIGTERM')
  expect([await worker.exited, worker.errors()]).toEqual([0, ''])
})
