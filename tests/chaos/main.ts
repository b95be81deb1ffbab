import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allFaults, notTried } from './faults/all-faults.ts'
import type { Fault } from './faults/fault.ts'
import type { Figures } from './program/figures.ts'
import { type ChaosOptions, parseOptions, usage } from './program/options.ts'
import { fingerprint, openResults, type Results } from './program/results.ts'
import { startServer } from './program/server.ts'
import { formatTable, lastLine } from './program/table.ts'
import { tryFault } from './program/try-fault.ts'
import { createRandom } from './random.ts'

// `npm run chaos`: workers as real processes against a real PostgreSQL, with faults, counted. CONTRIBUTING.md says how to use it.

const root = join(import.meta.dirname, '../..')
const kept = join(root, '.chaos')
const interrupted = 130
/** Most of a fault is waiting. The full form takes one after the other, so that its times are its own. */
const shortLanes = 3

const options = read(process.argv.slice(2))
if (options) process.exitCode = await main(options)

function read(args: string[]): ChaosOptions | undefined {
  try {
    return parseOptions(args, new Date())
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exitCode = 2
    return undefined
  }
}

async function main(options: ChaosOptions): Promise<number> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort(new Error('interrupted')))
  const { short, seed } = options
  console.log(`chaos, ${short ? 'short' : 'full'} form, seed ${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'sidelinja-chaos-'))
  try {
    const figures = await tryAll(options, folder, stop.signal)
    report(figures, seed)
    return figures.every(({ violations }) => violations.length === 0) ? 0 : 1
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.log('interrupted')
    return interrupted
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function tryAll(options: ChaosOptions, folder: string, signal: AbortSignal): Promise<Figures[]> {
  const { short, seed, only } = options
  const results = await earlier(options)
  const server = await startServer(join(folder, 'data'), signal)
  const trial = { server, random: createRandom(seed), short, folder, failures: join(kept, `failures-${seed}`), signal }
  const done = new Map<string, Figures>()
  const tryOne = async (fault: Fault) => {
    const before = results?.done(fault.name)
    const figures = before ?? (await tryFault(fault, trial))
    done.set(fault.name, figures)
    say(fault, figures, before !== undefined)
    if (!before) await results?.add(figures)
  }
  try {
    const faults = allFaults.filter(({ name }) => only.includes(name))
    await inLanes(
      faults.filter(({ alone }) => !alone),
      short ? shortLanes : 1,
      tryOne,
    )
    await inLanes(
      faults.filter(({ alone }) => alone),
      1,
      tryOne,
    )
    return faults.flatMap(({ name }) => done.get(name) ?? [])
  } finally {
    await server.stop('fast')
  }
}

/** So many at a time. The first that throws ends all, after what is under way. */
async function inLanes(faults: readonly Fault[], lanes: number, tryOne: (fault: Fault) => Promise<void>): Promise<void> {
  const left = [...faults]
  const lane = async () => {
    for (let fault = left.shift(); fault; fault = left.shift()) {
      try {
        await tryOne(fault)
      } catch (error) {
        left.length = 0
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** What the full form has done before, unless all is to be done anew. */
async function earlier({ short, seed, fresh }: ChaosOptions): Promise<Results | undefined> {
  if (short) return undefined
  const folders = ['packages/jobs-core/src', 'migrations/queue', 'tests/chaos'].map((name) => join(root, name))
  return openResults(join(kept, `full-${seed}.json`), await fingerprint(folders), fresh)
}

function say(fault: Fault, { violations, seconds }: Figures, before: boolean): void {
  console.log(
    `${fault.name}: ${before ? 'done before' : `${seconds.toFixed(1)} s`}${violations.length > 0 ? `, ${violations.length} wrong` : ''}`,
  )
  for (const { invariant, job, text } of violations.slice(0, 20)) console.log(`  ${invariant} ${job ? `job ${job} ` : ''}${text}`)
}

function report(figures: readonly Figures[], seed: number): void {
  console.log(`\n${formatTable(figures)}\n\nnot tried here: ${notTried.join('; ')}\n`)
  console.log(lastLine(figures, seed))
}
