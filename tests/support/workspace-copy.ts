import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './workspace.ts'

const run = promisify(execFile)
const copied = [
  ...['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'biome.json', '.gitignore', 'vitest.config.ts', 'migrations', 'scripts'],
  ...['packages/handler-generate-waveform', 'packages/jobs-kit/src', 'packages/jobs-kit/package.json'],
  ...['tests/handler-packages.test.ts', 'tests/setup', 'tests/support'],
]
const linked = [
  'packages/jobs-core',
  'packages/jobs-kit/node_modules',
  ...['@biomejs', '@types', 'kysely', 'pg', 'typescript', 'vitest', 'zod'].map((name) => `node_modules/${name}`),
]
/** Says how it was called; refuses what the file beside it names. */
const pnpm = `#!/bin/sh
echo "$@" >> pnpm-calls
case "$*" in *"$(cat pnpm-refuses 2>/dev/null || echo nothing)"*) echo 'ERR_PNPM no such package'; exit 1;; esac
`

/** Somewhere to make handler packages in, and to put them through the checks of the repository. */
export interface WorkspaceCopy {
  readonly folder: string
  /** Runs a program of `node_modules`. @returns what it said when it failed; '' when it did not. */
  attempt(program: string, args: string[]): Promise<string>
  /** `npm run new-handler -- …`; pnpm is a stand-in, which makes what it would link. */
  newHandler(args: string[], env?: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }>
  /** @returns what failed, in words, outside of tests too */
  runTests(paths: string[]): Promise<{ failed: string[]; passed: number }>
  remove(): Promise<void>
}

interface Report {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}

/**
 * A copy of what makes a handler package, with one that is there; the rest is linked.
 *
 * @param connectionString where its tests make their databases
 */
export async function copyWorkspace(connectionString: string): Promise<WorkspaceCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'handlers-'))
  const filter = (path: string) => !/\/(node_modules|dist|\.turbo)$/.test(path)
  for (const path of copied) await cp(join(root, path), join(folder, path), { recursive: true, filter })
  for (const path of linked) await link(join(root, path), join(folder, path))
  for (const name of ['jobs-core', 'jobs-kit']) await link(join(folder, 'packages', name), join(folder, 'node_modules/@sidelinja', name))
  await link(join(root, 'scripts/build-preset'), join(folder, 'node_modules/@sidelinja/build-preset'))
  await mkdir(join(folder, '.changeset'))
  await mkdir(join(folder, 'node_modules/.bin'))
  const biome = `#!/bin/sh\nexec '${join(root, 'node_modules/.bin/biome')}' "$@"\n`
  for (const [name, text] of Object.entries({ pnpm, biome }))
    await writeFile(join(folder, 'node_modules/.bin', name), text, { mode: 0o755 })
  // Installed, for whoever asks.
  await writeFile(join(folder, 'node_modules/.modules.yaml'), '')
  // The checks ask git which files there are.
  await run('git', ['init', '--quiet'], { cwd: folder })

  // biome-ignore lint/style/noProcessEnv: passed on whole to programs of the copy
  const env = { ...process.env, DATABASE_URL: connectionString }
  const attempt = (program: string, args: string[]) =>
    run(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: folder, env, maxBuffer: 10_000_000 }).then(
      () => '',
      (error) => `${error.code}: ${error.stdout}${error.stderr}`,
    )
  return {
    folder,
    attempt,
    async newHandler(args, more = {}) {
      const options = { cwd: folder, env: { ...env, ...more } }
      const said = await run(process.execPath, ['scripts/new-handler.mjs', ...args], options).then(
        (output) => ({ ...output, code: 0 }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      )
      if (said.code === 0) await linkDependencies(folder)
      return said
    },
    async runTests(paths) {
      const failure = await attempt('vitest/vitest.mjs', ['run', '--reporter=json', '--outputFile=report.json', ...paths])
      const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
      const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
      const failed = results.filter(({ status }) => status !== 'passed').map((result) => `${result.fullName}: ${result.failureMessages[0]}`)
      return { failed: failed.length === 0 && failure !== '' ? [failure] : failed, passed: results.length - failed.length }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** As pnpm does with handlers that the root depends on. */
async function linkDependencies(folder: string): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { devDependencies: object }
  for (const name of Object.keys(devDependencies).filter((dependency) => dependency.startsWith('@sidelinja/handler-'))) {
    await rm(join(folder, 'node_modules', name), { force: true })
    await link(join(folder, 'packages', name.replace('@sidelinja/', '')), join(folder, 'node_modules', name))
  }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}
