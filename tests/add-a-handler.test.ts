import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { root } from './support/workspace.ts'

// A recipe that nobody cooks goes off. This builds the example of docs/add-a-handler.md in a copy of the repository, block by block as
// a reader would, and puts it through the checks of the repository; also where a reader has made it in the repository itself.

const run = promisify(execFile)
const packageFolder = 'packages/handler-file-checksum'
const copied = [
  ...['package.json', 'tsconfig.base.json', 'vitest.config.ts', 'migrations'],
  ...['packages/handler-stats-parse', 'packages/jobs-kit/src', 'packages/jobs-kit/package.json'],
  ...['tests/handler-packages.test.ts', 'tests/setup', 'tests/support'],
]
const linked = [
  'packages/jobs-core',
  'packages/jobs-kit/node_modules',
  ...['@types', 'kysely', 'pg', 'typescript', 'vitest', 'zod'].map((name) => `node_modules/${name}`),
]
let workspace: string

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'add-a-handler-'))
  const filter = (path: string) => !/\/(node_modules|dist|\.turbo)$/.test(path)
  for (const path of copied) await cp(join(root, path), join(workspace, path), { recursive: true, filter })
  for (const path of linked) await link(join(root, path), path)
  for (const name of ['jobs-core', 'jobs-kit', 'handler-file-checksum', 'handler-stats-parse'])
    await link(join(workspace, 'packages', name), `node_modules/@sidelinja/${name}`)
  await link(join(root, 'scripts/build-preset'), 'node_modules/@sidelinja/build-preset')
  await followRecipe()
  // The checks ask git which files there are.
  await run('git', ['init', '--quiet'], { cwd: workspace })
})
afterAll(() => rm(workspace, { recursive: true, force: true }))

test('the example type-checks', async () => {
  expect(await attempt('typescript/bin/tsc', ['-p', join(packageFolder, 'tsconfig.json')])).toBe('')
})

test('the example has the shape of every handler package', async () => {
  const { failed, passed } = await runTests('repo', 'tests/handler-packages.test.ts')
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(15)
})

test('the example passes the conformance suite', async () => {
  const { failed, passed } = await runTests('database', packageFolder)
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(10)
})

/** "New file `path`…:" before a block is a file to make, "New line in `path`:" a line to add. */
async function followRecipe(): Promise<void> {
  const page = await readFile(join(root, 'docs/add-a-handler.md'), 'utf8')
  const blocks = [...page.matchAll(/^New (file|line in) `(\S+)`.*:\n\n```\w+\n([\s\S]*?)^```$/gm)]
  expect(blocks.map(([, kind]) => kind).filter((kind) => kind === 'line in')).toHaveLength(1)
  expect(blocks.length).toBeGreaterThan(6)
  for (const [, kind, path = '', text = ''] of blocks) {
    if (kind === 'file') await makeFile(path, text)
    else await addLine(path, text)
  }
  for (const file of ['package.json', 'tsconfig.json', 'tsup.config.ts']) {
    const model = await readFile(join(root, 'packages/handler-stats-parse', file), 'utf8')
    const text = model.replaceAll('stats-parse', 'file-checksum').replaceAll('stats_parse', 'file_checksum')
    await makeFile(join(packageFolder, file), text)
  }
}

/** Makes a file, with the next free number for `NNNN`: that of a reader who has made it already is free. */
async function makeFile(path: string, text: string): Promise<void> {
  const folder = join(workspace, dirname(path))
  await mkdir(folder, { recursive: true })
  const name = basename(path).replace('NNNN', '')
  for (const file of await readdir(folder)) if (/^\d{4}_/.test(file) && file.endsWith(name)) await rm(join(folder, file))
  const last = Math.max(0, ...(await readdir(folder)).map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0)))
  await writeFile(join(folder, basename(path).replace('NNNN', String(last + 1).padStart(4, '0'))), text)
}

async function addLine(path: string, line: string): Promise<void> {
  const before = await readFile(join(workspace, path), 'utf8')
  if (!before.includes(line)) await writeFile(join(workspace, path), before + line)
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true })
  await symlink(target, join(workspace, path))
}

interface Report {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}

/** Runs tests in the copy. @returns what failed, in words, outside of tests too. */
async function runTests(project: string, path: string): Promise<{ failed: string[]; passed: number }> {
  const failure = await attempt('vitest/vitest.mjs', ['run', '--project', project, '--reporter=json', '--outputFile=report.json', path])
  const report = JSON.parse(await readFile(join(workspace, 'report.json'), 'utf8')) as Report
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status !== 'passed').map((result) => `${result.fullName}: ${result.failureMessages[0]}`)
  return { failed: failed.length === 0 && failure !== '' ? [failure] : failed, passed: results.length - failed.length }
}

/** Runs a program of the repository in the copy. @returns what it said when it failed; '' when it did not. */
async function attempt(program: string, args: string[]): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: passed on whole to a program of the copy
  const env = { ...process.env, DATABASE_URL: inject('server').connectionString }
  const options = { cwd: workspace, env, maxBuffer: 10_000_000 }
  return run(process.execPath, [join(root, 'node_modules', program), ...args], options).then(
    () => '',
    (error) => `${error.code}: ${error.stdout}${error.stderr}`,
  )
}
