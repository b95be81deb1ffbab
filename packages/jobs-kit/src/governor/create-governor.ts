import type { Rooms } from '../rooms/room-status.ts'
import { deferral, type GentleActions, type Work } from './gentle-actions.ts'
import { createTurns } from './turns.ts'
import { emptyHistory, type GovernorBounds, remember, type Verdict, weigh } from './weigh.ts'

/** What a governor looks at, and what it does about it. */
export interface GovernorOptions {
  /** Where rooms are seen. Without it the governor is off: always full speed. */
  rooms?: Rooms | undefined
  /** What being gentle means; what is left out has its default. */
  gentle?: Partial<GentleActions>
  /** How long a failure counts as a room in use; what is left out has its default. */
  bounds?: Partial<GovernorBounds>
}

/** How the next piece of work goes. Dispose of it when the piece is done: another one may wait for that. */
export interface Decision extends Disposable {
  readonly mode: 'full' | 'gentle'
  /** A few words, for progress and log. */
  readonly reason: string
  /** What the operator should see to: LiveKit cannot be asked. For the log, at each piece. */
  readonly warning: string | undefined
  /** The piece should not begin; the job should come back after so many milliseconds, uncharged. */
  readonly deferMs: number | undefined
  /** The server to use instead. */
  readonly url: URL | undefined
  /** How many threads to ask for. */
  readonly threads: number | undefined
}

/** Keeps heavy work from disturbing a live room. */
export interface Governor {
  /**
   * Decides anew, to be asked before each piece; a piece that has begun goes on as it began when a room opens meanwhile. Comes back
   * within one look at the rooms (2 s), unless the piece must wait for its turn (`maxTurnMs` at most, and until the room is empty).
   * @throws only the signal's reason.
   */
  decide(work: Work, signal: AbortSignal): Promise<Decision>
}

const defaultBounds: GovernorBounds = { gentleByFailureMs: 15 * 60_000, refusals: 3, refusedForMs: 30_000, forgetAfterMs: 2 * 3_600_000 }
const defaultActions: GentleActions = {
  url: undefined,
  threads: 2,
  concurrency: 1,
  maxTurnMs: 15 * 60_000,
  deferMs: undefined,
  maxDeferMs: 2 * 3_600_000,
}
/** Who waits for a turn looks whether the room has emptied meanwhile. */
const lookAgainMs = 15_000
const off: Verdict = { mode: 'full', roomIsOpen: false, reason: 'no LiveKit is configured', warning: undefined }

/** Makes the governor of one process. */
export function createGovernor({ rooms, gentle, bounds: givenBounds }: GovernorOptions): Governor {
  const bounds = { ...defaultBounds, ...givenBounds }
  const actions = { ...defaultActions, ...gentle }
  const turns = createTurns()
  let history = emptyHistory
  const look = async (signal: AbortSignal): Promise<Verdict> => {
    if (rooms === undefined) return off
    history = remember(history, await rooms.observe(signal), bounds)
    return weigh(history, bounds)
  }
  return Object.freeze({
    async decide(work: Work, signal: AbortSignal) {
      const waitUntilMs = performance.now() + actions.maxTurnMs
      for (let told = false; ; told = true) {
        const verdict = await look(signal)
        const deferMs = deferral(verdict, work, actions)
        if (deferMs !== undefined) return decide(verdict, { deferMs }, () => {})
        const leftMs = waitUntilMs - performance.now()
        const free = verdict.mode === 'full' || actions.concurrency === undefined || turns.busy < actions.concurrency
        if (free || leftMs <= 0) {
          const { url, threads } = actions
          return decide(verdict, verdict.mode === 'gentle' ? { url, threads } : {}, turns.begin())
        }
        if (!told) work.onWait?.(verdict.reason)
        await turns.wait(Math.min(lookAgainMs, leftMs), signal)
      }
    },
  })
}

interface Chosen {
  deferMs?: number | undefined
  url?: URL | undefined
  threads?: number | undefined
}

function decide({ mode, reason, warning }: Verdict, { deferMs, url, threads }: Chosen, done: () => void): Decision {
  return Object.freeze({ mode, reason, warning, deferMs, url, threads, [Symbol.dispose]: done })
}
