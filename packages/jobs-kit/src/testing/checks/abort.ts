import { isJobsError } from '@sidelinja/jobs-core'
import type { Handler } from '@sidelinja/jobs-core/worker'
import type { Arranged, Bench, Check } from '../conformance.ts'
import { describeError, type Run, runOnce } from '../run-once.ts'
import { compareSnapshots, describeChanges } from '../snapshot.ts'
import { wrapServices } from '../wrap-services.ts'

const ABORT_WITHIN_MS = 2000
const MAX_MOMENTS = 12

/** A job whose signal is aborted before it begins does not begin. */
export const abortedBeforeCheck: Check = {
  name: 'does not begin when its signal is aborted already',
  async run(bench: Bench) {
    const arranged = await bench.arrange()
    const before = await bench.snapshot()
    const violations = await abortedRun(bench, bench.handler, arranged, { signal: AbortSignal.abort(), when: 'before it began' })
    return [...violations, ...(await leftovers(bench, before))]
  },
}

/**
 * A job whose signal is aborted while it waits for a service gives up: by passing the signal on, or by looking at it afterwards.
 * The signal is aborted at each of the handler's calls of a service in turn (at most twelve, spread over the run).
 */
export const abortedDuringCheck: Check = {
  name: 'gives up soon when its signal is aborted while it runs',
  async run(bench: Bench) {
    const arranged = await bench.arrange()
    const before = await bench.snapshot()
    const calls = await countCalls(bench, arranged)
    const violations: string[] = []
    for (const moment of spread(calls)) {
      const abort = new AbortController()
      const handler = watched(bench, (call) => call === moment && abort.abort())
      violations.push(
        ...(await abortedRun(bench, handler, arranged, { signal: abort.signal, when: `during its service call ${moment} of ${calls}` })),
      )
    }
    return [...violations, ...(await leftovers(bench, before))]
  },
}

async function abortedRun(
  bench: Bench,
  handler: Handler,
  arranged: Arranged,
  abort: { signal: AbortSignal; when: string },
): Promise<string[]> {
  const withinMs = bench.options.abortWithinMs ?? ABORT_WITHIN_MS
  const run = await endsWithin(runOnce(handler, arranged, abort.signal), abort.signal, withinMs)
  if (run === undefined) return [`It went on for more than ${withinMs} ms after its signal was aborted ${abort.when}.`]
  if (run.ended === 'returned') return [`It returned as if nothing had happened, although its signal was aborted ${abort.when}.`]
  if (!isJobsError(run.error, 'permanent')) return []
  return [`It called it a permanent failure (${describeError(run.error)}) that its signal was aborted ${abort.when}.`]
}

/** The run, or undefined when it has not ended `withinMs` after the signal. */
async function endsWithin(run: Promise<Run>, signal: AbortSignal, withinMs: number): Promise<Run | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    const start = () => {
      timer = setTimeout(() => resolve(undefined), withinMs)
    }
    if (signal.aborted) start()
    else signal.addEventListener('abort', start, { once: true })
  })
  try {
    return await Promise.race([run, late])
  } finally {
    clearTimeout(timer)
  }
}

async function countCalls(bench: Bench, arranged: Arranged): Promise<number> {
  let calls = 0
  const handler = watched(bench, (call) => {
    calls = call
  })
  await runOnce(handler, arranged)
  return calls
}

/** The handler on services that tell the number of each call, from 1. */
function watched({ options, services }: Bench, onCall: (call: number) => void): Handler {
  let call = 0
  return options.package.createHandler(
    wrapServices(services, () => {
      call++
      onCall(call)
    }),
  )
}

/** The numbers 1 … count, or twelve of them when there are more: always the first and the last. */
function spread(count: number): number[] {
  const moments = Math.min(count, MAX_MOMENTS)
  return Array.from({ length: moments }, (_, i) => (moments === 1 ? 1 : 1 + Math.round((i * (count - 1)) / (moments - 1))))
}

async function leftovers(bench: Bench, before: Awaited<ReturnType<Bench['snapshot']>>): Promise<string[]> {
  const changes = compareSnapshots(before, await bench.snapshot())
  return changes.length === 0 ? [] : [`It wrote although it was aborted: ${describeChanges(changes)}.`]
}
