import type { BulkBody } from '../wire/more-bodies.ts'
import type { ProblemBody } from '../wire/page-data.ts'
import type { BulkStep } from './bulk-step.ts'

/** How a bulk action is carried on, and who is told. */
export interface BulkRunOptions {
  /** Asks the server to go on for a moment; `stopped` is aborted when nobody waits for the answer any more. */
  step: (stopped: AbortSignal) => Promise<BulkStep>
  /** A step has gone well. */
  onProgress: (body: BulkBody) => void
  /** It goes on, waits for a moment because of a problem, or has ended: by itself, or with the problem that ended it. */
  onState: (state: BulkRunState) => void
}

/** `idle`: nothing runs from this page. */
export interface BulkRunState {
  kind: 'running' | 'waiting' | 'idle'
  problem: ProblemBody | null
}

/** Carries a bulk action on from this page. */
export interface BulkRun {
  /** Goes on until it is over. Does nothing while it does so already. */
  start(): void
  /** Waits for no further answer, and asks no more. What the server has done stays done. */
  stop(): void
}

const waitsMs = [2_000, 5_000, 10_000, 20_000, 30_000]
/** A step that is never heard of so many times in a row is left to the reader: some ten minutes. */
const mostFailures = 20
const longestWaitMs = 60_000

/** One step after the other, never two at once. What fails for the moment is tried again later and later; what is refused ends it. */
export function createBulkRun({ step, onProgress, onState }: BulkRunOptions): BulkRun {
  let running: AbortController | undefined

  async function goOn(stopped: AbortSignal): Promise<ProblemBody | null> {
    let failures = 0
    while (!stopped.aborted) {
      onState({ kind: 'running', problem: null })
      const answer = await step(stopped)
      if (stopped.aborted) return null
      if (answer.kind === 'refused') return answer.problem
      if (answer.kind === 'went') {
        failures = 0
        onProgress(answer.body)
        if (answer.body.finished_at !== null || answer.body.aborted_at !== null) return null
        continue
      }
      if (++failures >= mostFailures) return answer.problem
      onState({ kind: 'waiting', problem: answer.problem })
      await wait(answer.afterMs ?? waitsMs[Math.min(failures, waitsMs.length) - 1] ?? longestWaitMs, stopped)
    }
    return null
  }

  return {
    start() {
      if (running) return
      const mine = new AbortController()
      running = mine
      void goOn(mine.signal).then((problem) => {
        if (running !== mine) return
        running = undefined
        onState({ kind: 'idle', problem })
      })
    },
    stop() {
      if (!running) return
      running.abort()
      running = undefined
      onState({ kind: 'idle', problem: null })
    },
  }
}

function wait(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, longestWaitMs))
    stopped.addEventListener('abort', done)
  })
}
