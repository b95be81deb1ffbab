import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { readDatabaseUrl } from './read-database-url.ts'
import { readSettings } from './read-settings.ts'
import { SETTINGS } from './settings.ts'

const settingsOf = (args: string[], env: Record<string, string> = {}) => readSettings(parseCommandLine(args).flags, env)

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['1s', 1_000],
    ['2.5m', 150_000],
    ['1h', 3_600_000],
    [' 0s ', 0],
  ])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms))

  test.each(['', '30', 's', '1 s', '-1s', '1d', '1e3ms', 'Infinitys'])('%j is none', (text) => expect(parseDuration(text)).toBeUndefined())

  test.each([
    [0, '0ms'],
    [1_500, '1500ms'],
    [90_000, '90s'],
    [3_600_000, '1h'],
  ])('%d ms is written %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})

describe('the command', () => {
  test.each([
    [[], 'start'],
    [['start', '--types', 'a'], 'start'],
    [['migrate'], 'migrate'],
    [['migrate', 'up'], 'migrate'],
    [['migrate', 'status'], 'migrate status'],
    [['--help'], 'help'],
    [['migrate', '-h'], 'help'],
    [['--version'], 'version'],
    [['version'], 'version'],
  ])('%j is %s', (args, command) => expect(parseCommandLine(args).command).toBe(command))

  test.each([
    [['strat'], 'COMMAND_UNKNOWN', 'Did you mean start?'],
    [['migrate', 'sttus'], 'COMMAND_UNKNOWN', 'Did you mean migrate status?'],
    [['--max-concurent', '3'], 'OPTION_UNKNOWN', 'Did you mean --max-concurrent?'],
    [['--database-url=x'], 'OPTION_UNKNOWN', 'See --help.'],
    [['-x'], 'OPTION_UNKNOWN', 'Unknown option -x'],
    [['--lease'], 'OPTION_INVALID', '--lease needs a value, such as --lease=30s'],
    [['--types', '--lease=3s'], 'OPTION_INVALID', '--types needs a value'],
    [['--help=yes'], 'OPTION_INVALID', '--help takes no value'],
    [['migrate', '--adopt=yes'], 'OPTION_INVALID', '--adopt takes no value'],
    [['migrate', '--adopt-collection'], 'OPTION_INVALID', '--adopt-collection needs a value, such as --adopt-collection=<uuid>'],
    [['migrate', '--adopt-collection', 'Fjellradio'], 'OPTION_INVALID', 'must be the uuid of a node, got "Fjellradio"'],
    [['migrate', '--dry-run'], 'OPTION_INVALID', '--dry-run goes with --adopt or --adopt-collection'],
    [['migrate', '--adopt', '--dryrun'], 'OPTION_UNKNOWN', 'Did you mean --dry-run?'],
    [['migrate', 'status', '--adopt'], 'OPTION_INVALID', '--adopt belongs to the command migrate'],
    [['--force'], 'OPTION_INVALID', '--force belongs to the command migrate'],
  ])('%j is refused', (args, code, words) => {
    expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(words) }))
  })
})

describe('roles', () => {
  test('are a switch of migrate and of nothing else', () => {
    expect(parseCommandLine(['migrate', '--roles']).roles).toBe(true)
    expect(parseCommandLine(['migrate', 'status', '--roles']).roles).toBe(true)
    expect(parseCommandLine(['migrate']).roles).toBe(false)
    expect(() => parseCommandLine(['start', '--roles'])).toThrow('--roles belongs to the command migrate')
  })
})

describe('adopting', () => {
  const id = '0198F3A2-0000-7000-8000-000000000000'
  test.each([
    [['migrate'], undefined],
    [['migrate', '--adopt'], { dryRun: false, force: false }],
    [['migrate', 'up', '--adopt', '--dry-run'], { dryRun: true, force: false }],
    [['migrate', '--adopt-collection', id, '--force'], { dryRun: false, force: true, collectionNodeId: id }],
    [['migrate', '--adopt', '--help'], undefined],
  ])('%j is %j', (args, adopt) => expect(parseCommandLine(args).adopt).toEqual(adopt))
})

describe('settings', () => {
  test('the defaults are those of the documentation', () => {
    expect(settingsOf([])).toEqual({
      ...{ maxConcurrent: 3, pollIntervalMs: 1_000, types: undefined, leaseMs: 30_000, drainMs: 25_000, maxLoopBlockMs: 60_000 },
      strictRoles: false,
      ...{ mediaRoot: undefined, logRoot: undefined, ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe', logLevel: 'info' },
    })
  })

  const valued = SETTINGS.flatMap((spec) => (spec.kind === 'switch' ? [] : [spec]))
  // One text that each kind of setting takes, another one for the environment.
  const samples = {
    integer: ['7', '8'],
    duration: ['7s', '8s'],
    list: ['a,b', 'c'],
    text: ['/a', '/b'],
  } as const
  test.each(valued.map((spec) => [spec.flag, spec] as const))('--%s wins over the environment, that over the default', (flag, spec) => {
    const [byFlag = '', byEnv = ''] = spec.kind === 'choice' ? spec.choices : samples[spec.kind]
    const both = settingsOf([`--${flag}`, byFlag], { [spec.env]: byEnv })
    expect(both).toEqual(settingsOf([`--${flag}=${byFlag}`]))
    const env = settingsOf([], { [spec.env]: byEnv })
    expect(env).toEqual(settingsOf([`--${flag}`, byEnv]))
    expect(env[spec.key]).not.toEqual(both[spec.key])
    expect(settingsOf([], { [spec.env]: '' })).toEqual(settingsOf([]))
  })

  test.each(SETTINGS.filter(({ kind }) => kind === 'switch').map((spec) => [spec.flag, spec] as const))(
    '--%s is a switch, and true or false in the environment',
    (flag, { env, key }) => {
      expect(settingsOf([`--${flag}`], { [env]: 'false' })[key]).toBe(true)
      expect(settingsOf([], { [env]: 'true' })[key]).toBe(true)
      expect(settingsOf([], { [env]: 'false' })[key]).toBe(false)
      expect(settingsOf([], { [env]: '' })[key]).toBe(false)
      expect(() => settingsOf([], { [env]: 'yes' })).toThrow(`${env} must be true or false, got "yes"`)
      expect(() => settingsOf([`--${flag}=true`])).toThrow(`--${flag} takes no value`)
    },
  )

  test.each([
    [['--max-concurrent', '0'], '--max-concurrent must be a whole number from 1 to 1000, got "0"'],
    [['--max-concurrent', '2.5'], 'a whole number'],
    [['--poll-interval', '30'], 'a time from 10ms to 10m with its unit, such as 500ms, 30s or 2m, got "30"'],
    [['--lease', '999ms'], 'from 1s to 1h'],
    [['--types', 'a,,b'], 'names separated by commas'],
    [['--media-root='], '--media-root must be a value'],
    [['--log-level', 'wran'], 'Did you mean warn?'],
  ])('%j is refused', (args, words) => {
    expect(() => settingsOf(args)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(words) }))
  })

  test('an error names the variable when the environment said it', () => {
    expect(() => settingsOf([], { SIDELINJA_DRAIN: 'long' })).toThrow('SIDELINJA_DRAIN must be a time')
  })
})

describe('the database', () => {
  test('comes from DATABASE_URL before DATABASE_URL_FILE', () => {
    const folder = mkdtempSync(join(tmpdir(), 'database-url-'))
    const file = join(folder, 'url')
    writeFileSync(file, 'postgres://from.file/db\n')
    expect(readDatabaseUrl({ DATABASE_URL_FILE: file })).toBe('postgres://from.file/db')
    expect(readDatabaseUrl({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgresql:///db?host=/run/postgresql' })).toBe(
      'postgresql:///db?host=/run/postgresql',
    )
    writeFileSync(file, '\n')
    expect(() => readDatabaseUrl({ DATABASE_URL_FILE: file })).toThrow(
      expect.objectContaining({ code: 'DATABASE_URL_MISSING', message: `DATABASE_URL_FILE names ${file}, which is empty.` }),
    )
    rmSync(folder, { recursive: true })
    expect(() => readDatabaseUrl({ DATABASE_URL_FILE: file })).toThrow(
      expect.objectContaining({ code: 'DATABASE_URL_MISSING', message: `DATABASE_URL_FILE names ${file}, which cannot be read (ENOENT).` }),
    )
  })

  test('missing or wrong is an error that does not show it', () => {
    expect(() => readDatabaseUrl({})).toThrow(expect.objectContaining({ code: 'DATABASE_URL_MISSING' }))
    for (const url of ['mysql://u:hunter2@h/db', 'postgres://u:hunter2@h:port/db', 'hunter2']) {
      expect(() => readDatabaseUrl({ DATABASE_URL: url })).toThrow(
        expect.objectContaining({ code: 'DATABASE_URL_INVALID', message: expect.not.stringContaining('hunter2') }),
      )
      expect(() => readDatabaseUrl({ DATABASE_URL_FILE: url })).toThrow(
        expect.objectContaining({ code: 'DATABASE_URL_MISSING', message: expect.not.stringContaining('hunter2') }),
      )
    }
  })
})
