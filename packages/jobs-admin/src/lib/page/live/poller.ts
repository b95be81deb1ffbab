/** How often to ask, and what keeps from it. */
export interface PollerOptions {
  /** Asks once; true: it went well. Never called while it runs. */
  poll: () => Promise<boolean>
  /** True: not now. Looked at when it is time. */
  isHeld: () => boolean
  /** Default 5,000 ms, give or take ten percent, so that pages do not ask in step. */
  everyMs?: number
  /** 0 … 1. Default `Math.random`. */
  random?: () => number
}

/** Asks again and again. */
export interface Poller {
  start(): void
  stop(): void
  /** Something has changed: ask in a moment. */
  soon(): void
  /** What held it may be over: if an ask was due, now. */
  wake(): void
}

const backoffMs = [10_000, 30_000, 60_000]
const soonMs = 200
/** How long after a held ask it looks again by itself. */
const heldMs = 1_000

/** One ask at a time, each a while after the one before has ended; after failures later and later. Has nothing to do with a page: it is given all it needs. */
export function createPoller({ poll, isHeld, everyMs = 5_000, random = Math.random }: PollerOptions): Poller {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false
  let stopped = true
  let again = false
  let due = false
  let failures = 0

  const plan = (ms: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void ask(), ms)
  }
  const interval = () =>
    (failures === 0 ? everyMs : (backoffMs[Math.min(failures, backoffMs.length) - 1] ?? everyMs)) * (0.9 + 0.2 * random())

  async function ask(): Promise<void> {
    if (stopped || running) return
    due = true
    if (isHeld()) return plan(heldMs)
    due = false
    running = true
    again = false
    const went = await poll().catch(() => false)
    running = false
    failures = went ? 0 : failures + 1
    plan(again && went ? soonMs : interval())
  }

  return {
    start() {
      if (!stopped) return
      stopped = false
      plan(interval())
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
    soon() {
      if (running) again = true
      else if (!stopped && failures === 0) plan(soonMs)
    },
    wake() {
      if (!running && (due || failures > 0)) plan(0)
    },
  }
}
