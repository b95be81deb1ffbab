import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedTest } from './mutation.ts'

export interface TestRun {
  code: number | null
  passed: string[]
  failed: string[]
}

interface Report {
  testResults: { assertionResults: { status: string; title: string }[] }[]
}

const limitMs = 5 * 60_000

/** Runs these tests, and no others, in the copy. */
export async function runTests(folder: string, tests: readonly NamedTest[], signal: AbortSignal): Promise<TestRun> {
  const report = join(folder, '.temporary-report.json')
  await rm(report, { force: true })
  const names = [...new Set(tests.map(({ name }) => escapeText(name)))].join('|')
  const files = [...new Set(tests.map(({ file }) => file))]
  const args = ['run', '--project', 'database*', '--project', 'unit', '--reporter=json', `--outputFile=${report}`, '-t', names, ...files]
  const code = await runVitest(folder, args, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]))
  signal.throwIfAborted()
  const text = await readFile(report, 'utf8').catch(() => '{ "testResults": [] }')
  const results = (JSON.parse(text) as Report).testResults.flatMap(({ assertionResults }) => assertionResults)
  const titled = (status: string) => results.filter((one) => one.status === status).map(({ title }) => title)
  return { code, passed: titled('passed'), failed: titled('failed') }
}

/** The signal ends vitest as Ctrl-C does, so that it stops its server too. */
function runVitest(folder: string, args: readonly string[], signal: AbortSignal): Promise<number | null> {
  const child = spawn(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: folder, stdio: 'ignore' })
  const end = () => child.kill('SIGTERM')
  signal.addEventListener('abort', end)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', end)
      resolve(code)
    })
  })
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
