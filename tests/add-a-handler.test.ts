import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

// A recipe that nobody cooks goes off. This builds the example of docs/add-a-handler.md in a copy of the repository, block by block as
// a reader would, and runs its tests.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const copied = [
  'package.json',
  'migrations',
  'packages/jobs-kit/src',
  'packages/jobs-kit/package.json',
  'tests/setup',
  'tsconfig.base.json',
  'vitest.config.ts',
]
const linked = ['packages/jobs-core', ...['@types', 'kysely', 'pg', 'vitest', 'zod'].map((name) => `node_modules/${name}`)]
const packageFolder = 'packages/handler-file-checksum'
let workspace: string

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'add-a-handler-'))
  for (const path of copied) await cp(join(root, path), join(workspace, path), { recursive: true })
  for (const path of linked) await link(join(root, path), path)
  for (const name of ['jobs-core', 'jobs-kit', 'handler-file-checksum'])
    await link(join(workspace, 'packages', name), `node_modules/@sidelinja/${name}`)
  await followRecipe()
})
afterAll(() => rm(workspace, { recursive: true, force: true }))

test('the example type-checks', async () => {
  expect(await attempt('typescript/bin/tsc', ['-p', join(packageFolder, 'tsconfig.json')])).toBe('')
})

test('the example passes the conformance suite', async () => {
  const failure = await attempt('vitest/vitest.mjs', [
    'run',
    '--project',
    'database',
    '--reporter=json',
    '--outputFile=report.json',
    packageFolder,
  ])
  const report = JSON.parse(await readFile(join(workspace, 'report.json'), 'utf8')) as Report
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(results.length).toBeGreaterThan(10)
  // Also of what fails outside of a test.
  expect(failure).toBe('')
})

interface Report {
  testResults: { assertionResults: { status: string; title: string; failureMessages: string[] }[] }[]
}

/** `<!-- file: path -->` before a block is a file to make, `<!-- line: path -->` a line to add. */
async function followRecipe(): Promise<void> {
  const page = await readFile(join(root, 'docs/add-a-handler.md'), 'utf8')
  const blocks = [...page.matchAll(/^<!-- (file|line): (\S+) -->\n\n```\w+\n([\s\S]*?)^```$/gm)]
  expect(blocks.length).toBeGreaterThan(5)
  for (const [, kind, path = '', text = ''] of blocks) {
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await (kind === 'file' ? writeFile : appendFile)(join(workspace, path), text)
  }
  for (const file of ['package.json', 'tsconfig.json']) {
    const model = await readFile(join(root, 'packages/handler-stats-parse', file), 'utf8')
    const text = model.replaceAll('stats-parse', 'file-checksum').replaceAll('stats_parse', 'file_checksum')
    await writeFile(join(workspace, packageFolder, file), text)
  }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true })
  await symlink(target, join(workspace, path))
}

/** Runs a program of the repository in the copy. @returns what it said when it failed; '' when it did not. */
async function attempt(program: string, args: string[]): Promise<string> {
  const env = { PATH: dirname(process.execPath), DATABASE_URL: inject('server').connectionString }
  const options = { cwd: workspace, env, maxBuffer: 10_000_000 }
  return run(process.execPath, [join(root, 'node_modules', program), ...args], options).then(
    () => '',
    (error) => `${error.code}: ${error.stdout}${error.stderr}`,
  )
}
