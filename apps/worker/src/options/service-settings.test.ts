import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doubledPaths, readServiceSettings, unusedVariables } from './read-service-settings.ts'
import { SERVICE_SETTINGS, type ServiceSetting } from './service-settings.ts'

const settings = Object.values<ServiceSetting>(SERVICE_SETTINGS)
const secrets = settings.filter(({ kind }) => kind === 'secret').map(({ env }) => env)
/** Every service, with nothing but what it needs. */
const addresses = {
  ...{ WHISPER_URL: 'http://whisper:8000', LIVEKIT_URL: 'wss://livekit.example.org', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' },
  ...{ AI_GATEWAY_URL: 'http://gateway:4000', FORGEJO_URL: 'https://git.example.org/forgejo', FORGEJO_TOKEN: 'token' },
  ...{ SPACETIMEDB_URL: 'http://spacetime:3000', SPACETIMEDB_DATABASE: 'sidelinja', SPACETIMEDB_TOKEN: 'token' },
}
const invalid = (words: string | RegExp) =>
  expect.objectContaining({ code: 'OPTION_INVALID', kind: 'configuration', message: expect.stringMatching(words) })

test('without variables there is no service, and being gentle has the documented defaults', () => {
  expect(readServiceSettings({ WHISPER_URL: '', FORGEJO_URL: '', LIVEKIT_URL: '' })).toEqual({
    gentle: { url: undefined, threads: 2, concurrency: 1, deferMs: undefined, maxDeferMs: 7_200_000 },
  })
})

test('an address is all that transcription needs', () => {
  expect(readServiceSettings(addresses)).toEqual({
    transcription: {
      ...{ url: new URL('http://whisper:8000'), apiKey: undefined, dialect: 'speaches', model: undefined },
      ...{ format: 'verbose_json', timeoutFactor: 3 },
    },
    liveKit: { url: new URL('wss://livekit.example.org'), apiKey: 'key', apiSecret: 'secret' },
    gateway: { url: new URL('http://gateway:4000'), apiKey: undefined, timeoutMs: 300_000, embeddingFormat: 'float' },
    forgejo: { url: new URL('https://git.example.org/forgejo'), token: 'token' },
    spacetime: { url: new URL('http://spacetime:3000'), database: 'sidelinja', token: 'token' },
    gentle: expect.anything(),
  })
})

/** Each variable: a value it takes, where that arrives, and values that it does not take. */
const cases: Record<string, [string, object, ...string[]]> = {
  WHISPER_URL: [' http://w:1/base/ ', { transcription: { url: new URL('http://w:1/base/') } }, 'w:8000', 'ws://w', 'file:///w', 'whisper'],
  WHISPER_GENTLE_URL: ['https://g', { gentle: { url: new URL('https://g') } }, 'g', 'ftp://g'],
  WHISPER_API_KEY: [' k1\n', { transcription: { apiKey: 'k1' } }, 'two\nlines', 'nøkkel', 'a\u0000b'],
  WHISPER_DIALECT: ['whisper.cpp', { transcription: { dialect: 'whisper.cpp' } }, 'whispercpp', 'OpenAI'],
  WHISPER_MODEL: ['NbAiLab/nb-whisper-large', { transcription: { model: 'NbAiLab/nb-whisper-large' } }],
  WHISPER_FORMAT: ['srt', { transcription: { format: 'srt' } }, 'json', 'vtt'],
  WHISPER_TIMEOUT_FACTOR: ['10', { transcription: { timeoutFactor: 10 } }, '0', '101', '1.5', 'x'],
  LIVEKIT_URL: ['http://l:7880', { liveKit: { url: new URL('http://l:7880') } }, 'l:7880', 'livekit'],
  LIVEKIT_API_KEY: ['k2', { liveKit: { apiKey: 'k2' } }, ' '],
  LIVEKIT_API_SECRET: ['s2', { liveKit: { apiSecret: 's2' } }, 'two\nlines'],
  GENTLE_THREADS: ['4', { gentle: { threads: 4 } }, '0', '257', 'few'],
  GENTLE_CONCURRENCY: ['2', { gentle: { concurrency: 2 } }, '0', '1001'],
  GENTLE_DEFER: ['5m', { gentle: { deferMs: 300_000 } }, '5', '61m'],
  GENTLE_MAX_DEFER: ['30m', { gentle: { maxDeferMs: 1_800_000 } }, '30', '25h'],
  AI_GATEWAY_URL: ['http://a/base', { gateway: { url: new URL('http://a/base') } }, 'a:4000', 'ws://a'],
  AI_GATEWAY_KEY: ['k3', { gateway: { apiKey: 'k3' } }, 'two\nlines'],
  AI_GATEWAY_TIMEOUT: ['2m', { gateway: { timeoutMs: 120_000 } }, '5', '61m'],
  AI_EMBEDDING_FORMAT: ['omit', { gateway: { embeddingFormat: 'omit' } }, 'float32'],
  FORGEJO_URL: ['http://f/git', { forgejo: { url: new URL('http://f/git') } }, 'f', 'ssh://git@f'],
  FORGEJO_TOKEN: ['t2', { forgejo: { token: 't2' } }, 'to\tken'],
  WEB_CONTACT_URL: [' mailto:post@example.org ', { web: { contact: 'mailto:post@example.org' } }, 'post@example.org', 'javascript:x'],
  SPACETIMEDB_URL: ['https://s/base', { spacetime: { url: new URL('https://s/base') } }, 's:3000', 'ws://s'],
  SPACETIMEDB_DATABASE: ['jobs', { spacetime: { database: 'jobs' } }, ' '],
  SPACETIMEDB_TOKEN: ['t3', { spacetime: { token: 't3' } }, 'two\nlines'],
}

describe('each variable', () => {
  test('has its cases', () => {
    expect(Object.keys(cases)).toEqual(settings.map(({ env }) => env))
  })

  test.each(Object.entries(cases))('%s', (name, [text, arrives, ...wrong]) => {
    // As JSON: objects of addresses are all alike to a matcher.
    const read = (env: object) => JSON.parse(JSON.stringify(readServiceSettings({ ...addresses, ...env })))
    const expected = JSON.parse(JSON.stringify(arrives))
    expect(read({ [name]: text })).toMatchObject(expected)
    expect(read({})).not.toMatchObject(expected)
    for (const value of wrong) expect(() => readServiceSettings({ ...addresses, [name]: value }), value).toThrow(invalid(`^${name}\\b`))
  })

  test('that may be one of a few says which', () => {
    const choices = settings.flatMap((each) => (each.kind === 'choice' ? [each] : []))
    expect(choices.length).toBeGreaterThan(1)
    for (const { help, choices: all } of choices) for (const choice of all) expect(help).toContain(choice)
    expect(() => readServiceSettings({ ...addresses, WHISPER_DIALECT: 'whispercpp' })).toThrow('Did you mean whisper.cpp?')
  })

  test('that is a default is one that could be written', () => {
    const written = Object.fromEntries(settings.flatMap(({ env, default: standard }) => (standard === undefined ? [] : [[env, standard]])))
    expect(readServiceSettings({ ...addresses, ...written })).toEqual(readServiceSettings(addresses))
  })
})

describe('an address with user and password', () => {
  test.each(['WHISPER_URL', 'WHISPER_GENTLE_URL', 'LIVEKIT_URL', 'FORGEJO_URL', 'SPACETIMEDB_URL'])(
    'is refused in %s, and not shown',
    (name) => {
      for (const address of ['http://me:hunter2@h', 'http://:hunter2@h', 'hunter2@h']) {
        const read = () => readServiceSettings({ ...addresses, [name]: address })
        expect(read).toThrow(invalid(`^${name} must be an address that begins with`))
        expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }))
      }
    },
  )
})

describe('what belongs together', () => {
  test.each([
    [['LIVEKIT_API_KEY'], 'LIVEKIT_API_KEY is not set, and LIVEKIT_URL needs it. Set all of them or none.'],
    [
      ['LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
      'LIVEKIT_API_KEY and LIVEKIT_API_SECRET are not set, and LIVEKIT_URL needs them. Set all of them or none.',
    ],
    [['FORGEJO_TOKEN'], 'FORGEJO_TOKEN is not set, and FORGEJO_URL needs it. Set all of them or none.'],
    [['SPACETIMEDB_TOKEN'], 'SPACETIMEDB_TOKEN is not set, and SPACETIMEDB_URL needs it. Set all of them or none.'],
    [
      ['SPACETIMEDB_DATABASE', 'SPACETIMEDB_TOKEN'],
      'SPACETIMEDB_DATABASE and SPACETIMEDB_TOKEN are not set, and SPACETIMEDB_URL needs them. Set all of them or none.',
    ],
  ])('without %j the address is refused', (names, sentence) => {
    const without = Object.fromEntries(names.map((name) => [name, '']))
    expect(() => readServiceSettings({ ...addresses, ...without })).toThrow(invalid(`^${sentence}$`))
  })

  test('without the address the rest does nothing, which is said', () => {
    expect(unusedVariables(addresses)).toEqual([])
    expect(
      unusedVariables({ ...addresses, LIVEKIT_URL: '', FORGEJO_URL: '', GENTLE_THREADS: '3', WHISPER_GENTLE_URL: 'http://g' }),
    ).toEqual([
      { name: 'WHISPER_GENTLE_URL', needs: 'LIVEKIT_URL' },
      { name: 'LIVEKIT_API_KEY', needs: 'LIVEKIT_URL' },
      { name: 'LIVEKIT_API_SECRET', needs: 'LIVEKIT_URL' },
      { name: 'GENTLE_THREADS', needs: 'LIVEKIT_URL' },
      { name: 'FORGEJO_TOKEN', needs: 'FORGEJO_URL' },
    ])
    expect(unusedVariables({ ...addresses, SPACETIMEDB_URL: '' }).map(({ name }) => name)).toEqual([
      ...['SPACETIMEDB_DATABASE', 'SPACETIMEDB_TOKEN'],
    ])
    expect(unusedVariables({ WHISPER_API_KEY_FILE: '/run/key', WHISPER_MODEL: '' })).toEqual([
      { name: 'WHISPER_API_KEY_FILE', needs: 'WHISPER_URL' },
    ])
  })

  test('an address with the /v1 that is added to it is doubtful', () => {
    expect(doubledPaths(addresses)).toEqual([])
    expect(doubledPaths({ WHISPER_URL: 'http://w/v1', WHISPER_GENTLE_URL: 'http://g/v1/ ', AI_GATEWAY_URL: 'https://a/api/v1' })).toEqual([
      ...['WHISPER_URL', 'WHISPER_GENTLE_URL', 'AI_GATEWAY_URL'],
    ])
    expect(doubledPaths({ WHISPER_URL: 'http://w/v1/whisper', AI_GATEWAY_URL: 'https://a/rev1', FORGEJO_URL: 'https://f/v1' })).toEqual([])
  })

  test('every variable is an address, or part of one', () => {
    const known = settings.map(({ env }) => env)
    for (const { env, partOf } of settings) {
      if (partOf === undefined) expect(env).toMatch(/_URL$/)
      else expect(known).toContain(partOf)
    }
  })
})

describe('secrets', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const refused = (read: () => unknown, words: string) => {
    expect(read).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE', kind: 'configuration', message: expect.stringContaining(words) }),
    )
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }))
  }

  test('there are some', () => {
    expect(secrets).toEqual(['WHISPER_API_KEY', 'LIVEKIT_API_SECRET', 'AI_GATEWAY_KEY', 'FORGEJO_TOKEN', 'SPACETIMEDB_TOKEN'])
  })

  test.each(secrets)('%s may come from a file', (name) => {
    const file = join(folder, name)
    const read = (env: Record<string, string>) => readServiceSettings({ ...addresses, [name]: '', ...env })
    writeFileSync(file, 'hunter2\n')
    expect(JSON.stringify(read({ [`${name}_FILE`]: file }))).toContain('"hunter2"')
    // The variable itself goes before.
    expect(JSON.stringify(read({ [`${name}_FILE`]: file, [name]: 'other' }))).not.toContain('hunter2')

    writeFileSync(file, 'hunter2\nand another line\n')
    expect(() => read({ [`${name}_FILE`]: file })).toThrow(invalid(/one line of plain characters/))
    expect(() => read({ [`${name}_FILE`]: file })).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }))
    writeFileSync(file, ' \n')
    refused(() => read({ [`${name}_FILE`]: file }), `${name}_FILE names ${file}, which is empty.`)
    refused(() => read({ [`${name}_FILE`]: folder }), `${name}_FILE names ${folder}, which cannot be read (EISDIR).`)
    refused(() => read({ [`${name}_FILE`]: '/nowhere/secret' }), `${name}_FILE names /nowhere/secret, which cannot be read (ENOENT).`)
    // The secret itself where its file belongs.
    refused(() => read({ [`${name}_FILE`]: 'hunter2/x' }), `${name}_FILE names a file, which cannot be read (ENOENT).`)
  })
})
