import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { startSiteStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const handlers = readdirSync(join(root, 'packages'))
  .filter((name) => name.startsWith('handler-'))
  .map((name) => `@sidelinja/${name}`)
const isHeavy = (name: string) => /handler-(whisper-transcribe|openrouter-analyze|generate-waveform)$/.test(name)

/** What DESIGN says is in each build, of the packages that exist. */
const selections = {
  worker: handlers,
  'worker-heavy': handlers.filter(isHeavy),
  'worker-light': handlers.filter((name) => !isHeavy(name)),
}
const builds = Object.keys(selections) as (keyof typeof selections)[]
let output: string

beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), 'sidelinja-builds-'))
  await run('turbo', ['run', 'build', '--output-logs=errors-only', ...builds.map((build) => `--filter=@sidelinja/build-${build}...`)])
}, 300_000)
afterAll(() => rm(output, { recursive: true, force: true }))

test.each(builds)('the bundle of %s imports its handlers and no others', (build) => {
  const metafile = JSON.parse(readFileSync(join(root, 'apps/worker/builds', build, 'dist/metafile-esm.json'), 'utf8'))
  // Nothing is bundled, so the imports of the two files are all that it can reach.
  expect(Object.keys(metafile.inputs).toSorted()).toEqual(['src/main.ts', 'src/worker.ts'])
  const importsOf = (file: string): string[] => metafile.outputs[file].imports.map(({ path }: { path: string }) => path)
  expect(importsOf('dist/main.js')).toEqual(['@sidelinja/worker/check-node', 'dist/worker.js'])
  expect(importsOf('dist/worker.js').toSorted()).toEqual(['@sidelinja/worker', ...selections[build]].toSorted())
})

test('pages for operators and readers say what runs where', () => {
  const read = (page: string) => readFileSync(join(root, page), 'utf8')
  const toType = (name: string) => name.replace('@sidelinja/handler-', '').replaceAll('-', '_')
  for (const build of builds) {
    const [, cell = ''] = new RegExp(`^\\| \`${build}\` \\| (.*?) \\|`, 'm').exec(read('docs/operations.md')) ?? []
    expect([build, [...cell.matchAll(/`(\w+)`/g)].map(([, type]) => type)]).toEqual([build, selections[build].map(toType)])
  }
  const inNorwegian = [...read('docs/infra/jobbkø.md').matchAll(/^\| `([a-z_]+)` \| \p{Ll}.* \| `\w+_(?:ROOT|URL)`.* \|$/gmu)].map(
    ([, type]) => type,
  )
  expect(inNorwegian.toSorted()).toEqual(handlers.map(toType))
  for (const name of handlers) expect(read('README.md')).toContain(`[\`${toType(name)}\`](packages/${name.replace('@sidelinja/', '')})`)
})

describe('deployed into a folder of its own', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    await Promise.all(
      ['worker-light', 'worker-heavy'].map((build) =>
        run('pnpm', ['--filter', `@sidelinja/build-${build}`, 'deploy', '--prod', join(output, build)]),
      ),
    )
  })
  afterAll(() => database.drop())

  test.each(['worker-light', 'worker-heavy'] as const)(
    '%s runs there with its handlers and nothing else of them on disk',
    async (build) => {
      const { stdout } = await run(join(output, build, 'dist/main.js'), ['--version'], output)
      expect(stdout).toMatch(new RegExp(`^sidelinja-worker \\d+\\.\\d+\\.\\d+.* \\(build ${build}\\)\n$`))
      const files = await readdir(join(output, build), { recursive: true })
      const onDisk = new Set(files.flatMap((file) => /@sidelinja\/(handler-[a-z-]+)$/.exec(file)?.[1] ?? []))
      expect([...onDisk].map((name) => `@sidelinja/${name}`).sort()).toEqual(selections[build])
      // Only the tests read what the bundler says.
      expect(files.filter((file) => file.includes('metafile-'))).toEqual([])
    },
  )

  test('a Node that is too old is told so in one sentence, before anything that it could not load', async () => {
    // With a selection that no Node can load, a start that does not end before it cannot end with our sentence.
    const copy = join(output, 'worker-light', 'dist/old-node')
    await mkdir(copy)
    await copyFile(join(output, 'worker-light', 'dist/main.js'), join(copy, 'main.js'))
    await writeFile(join(copy, 'worker.js'), 'syntax error')
    const old = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
    const start = run(process.execPath, ['--import', old, join(copy, 'main.js'), 'start'], output)
    const sentence = /^sidelinja-worker: Node 22\.18 or newer is needed, and this is Node 20\.20\.2 .*\n$/
    await expect(start).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
  })

  test('dist/main.js, run as a program, is given the flag that bounds what dead objects take', async () => {
    const tell = `data:text/javascript,console.log(...process.execArgv)`
    const { stdout } = await run(join(output, 'worker-light', 'dist/main.js'), ['--version'], output, {
      NODE_OPTIONS: `--import="${tell}"`,
    })
    expect(stdout.split(/\s/)).toContain('--max-semi-space-size=16')
  })

  test('a page is read there, on a thread whose file and parser came along', async () => {
    await using site = await startSiteStandIn({
      pages: { '/': '<title>Kai</title><p>Kommunen har bygd ny kai i Sørvågen, og alle er fornøyde med dybden.' },
    })
    const program = `
      const { createRequire } = await import('node:module')
      const { realpathSync } = await import('node:fs')
      const require = createRequire(realpathSync('node_modules/@sidelinja/handler-url-ingest/package.json'))
      const [{ createServices }, { Kysely, PostgresDialect }, { default: pg }] =
        await Promise.all(['@sidelinja/jobs-kit', 'kysely', 'pg'].map((name) => import(require.resolve(name))))
      const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
      const { web } = createServices({ db: new Kysely({ dialect: new PostgresDialect({ pool }) }), web: { allowLocal: [process.argv[1]] } })
      const { title, text, obstacle } = await web.read({ url: 'http://' + process.argv[1] + '/' }, new AbortController().signal)
      await pool.end()
      console.log(JSON.stringify({ title, text, obstacle }))`
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '--eval', program, new URL(site.url).host],
      join(output, 'worker-light'),
      { DATABASE_URL: database.connectionString },
    )
    expect(JSON.parse(stdout)).toEqual({
      ...{ title: 'Kai', obstacle: null },
      text: 'Kommunen har bygd ny kai i Sørvågen, og alle er fornøyde med dybden.',
    })
  })

  test('its migrations come with it', async () => {
    const { stdout } = await run(join(output, 'worker-light', 'dist/main.js'), ['migrate', 'status'], output, {
      DATABASE_URL: database.connectionString,
    })
    expect(stdout.trim().split('\n').length).toBeGreaterThan(3)
    expect(stdout).not.toContain('missing')
  })

  test('a build without handlers starts, says so once, keeps its lease by a thread and stops when asked', async () => {
    const empty = join(output, 'worker-light', 'dist/empty')
    await mkdir(empty)
    await copyFile(join(output, 'worker-light', 'dist/main.js'), join(empty, 'main.js'))
    await writeFile(
      join(empty, 'worker.js'),
      `import { runWorker } from '@sidelinja/worker'\nawait runWorker({ name: 'empty', handlers: [] })`,
    )
    const follow = join(root, 'scripts/lib/follow-launcher.mjs')
    const worker = spawn(process.execPath, [follow, join(empty, 'main.js')], {
      cwd: output,
      env: { ...environment(), DATABASE_URL: database.connectionString, SIDELINJA_LEASE: '1s' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    let log = ''
    let stopping: Promise<boolean> | undefined
    for await (const text of worker.stdout ?? []) {
      log += text
      if (log.includes('"worker.started"')) stopping ??= untilItsHeartBeats().then(() => worker.kill('SIGTERM'))
    }
    await stopping
    const [code] = worker.exitCode === null ? await once(worker, 'exit') : [worker.exitCode]
    expect(code).toBe(0)
    expect(log.match(/"no\.handlers"/g)).toHaveLength(1)
    expect(log).not.toContain('heartbeat.inline')
  })

  async function untilItsHeartBeats(): Promise<void> {
    const renewed = 'select from job_workers where heartbeat_at > registered_at'
    while ((await database.pool.query(renewed)).rows.length === 0) await database.pool.query('select pg_sleep(0.05)')
  }
})

function run(command: string, args: string[], cwd = root, env: NodeJS.ProcessEnv = {}): Promise<{ stdout: string }> {
  return promisify(execFile)(command, args, { cwd, env: { ...environment(), ...env }, maxBuffer: 64 * 1024 * 1024 })
}

function environment(): NodeJS.ProcessEnv {
  // The pinned Node, pnpm and turbo, as under npm.
  // biome-ignore lint/style/noProcessEnv: passed on to the child, as npm does
  const { DATABASE_URL: _, NODE_OPTIONS: __, ...env } = process.env
  return { ...env, PATH: join(root, 'node_modules/.bin') + delimiter + env.PATH, TURBO_TELEMETRY_DISABLED: '1' }
}
