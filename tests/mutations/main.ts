import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyRepository } from './copy-repository.ts'
import { applyEdit, type Mutation, type NamedTest } from './mutation.ts'
import { mutations } from './mutations.ts'
import { runTests } from './run-tests.ts'

// `npm run mutate`: in a copy of the repository, takes away one guard after the other and demands that a test it names fails.

const root = join(import.meta.dirname, '../..')
const interrupted = 130

interface Verdict {
  name: string
  /** Which of its tests failed. */
  red: string[]
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const chosen = mutations.filter(({ name }) => name.includes(values.only ?? ''))
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort(new Error('interrupted')))
  const folder = await mkdtemp(join(tmpdir(), 'sidelinja-mutate-'))
  try {
    await copyRepository(root, folder, stop.signal)
    await expectGreen(folder, chosen, stop.signal)
    const verdicts: Verdict[] = []
    for (const mutation of chosen) {
      verdicts.push(await judge(folder, mutation, stop.signal))
      console.log(row(verdicts.at(-1) as Verdict))
    }
    const unnoticed = verdicts.filter(({ red }) => red.length === 0)
    console.log(`\n${verdicts.length - unnoticed.length} noticed, ${unnoticed.length} unnoticed`)
    return unnoticed.length === 0 && verdicts.length > 0 ? 0 : 1
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.log('interrupted')
    return interrupted
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** What fails anyway proves nothing. */
async function expectGreen(folder: string, chosen: readonly Mutation[], signal: AbortSignal): Promise<void> {
  const tests = chosen.flatMap((mutation) => mutation.tests)
  const { passed, failed } = await runTests(folder, tests, signal)
  const missing = tests.filter(({ name }) => !passed.some((title) => title.includes(name)))
  if (failed.length + missing.length > 0) {
    throw new Error(`Without any mutation these should pass: ${[...failed, ...missing.map(({ name }) => name)].join(', ')}`)
  }
  console.log(`${passed.length} tests pass as things are.\n`)
}

async function judge(folder: string, { name, edits, tests }: Mutation, signal: AbortSignal): Promise<Verdict> {
  const files = new Map<string, string>()
  for (const { file } of edits) files.set(file, await readFile(join(folder, file), 'utf8'))
  try {
    for (const edit of edits) {
      const path = join(folder, edit.file)
      await writeFile(path, applyEdit(await readFile(path, 'utf8'), edit))
    }
    return { name, red: await redOnes(folder, tests, signal) }
  } finally {
    for (const [file, text] of files) await writeFile(join(folder, file), text)
  }
}

/** A run that ends without saying what failed, because the process was ended, has failed as a whole. */
async function redOnes(folder: string, tests: readonly NamedTest[], signal: AbortSignal): Promise<string[]> {
  const { failed, code } = await runTests(folder, tests, signal)
  return failed.length === 0 && code !== 0 ? tests.map(({ name }) => name) : failed
}

function row({ name, red }: Verdict): string {
  return `${red.length > 0 ? 'noticed  ' : 'UNNOTICED'}  ${name.padEnd(42)} ${red.join(' · ')}`
}
