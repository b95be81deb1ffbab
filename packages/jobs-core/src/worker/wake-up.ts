import type { WakeMode } from '../database/tables.ts'
import { describeError } from '../errors/describe-error.ts'
import { markWakeMode } from '../queue/mark-wake-mode.ts'
import type { PollingReason } from './events.ts'
import { type Heard, listenOnce, type WakeUpTiming } from './listen-once.ts'
import { createPulse } from './pulse.ts'
import type { Repetition } from './repeat.ts'
import type { Runtime } from './runtime.ts'

const firstRetryMs = 500
const maxRetryMs = 30_000
/** So many connections in a row that hear nothing from the start do not deafen by chance. */
const deafStartsForPooler = 2

/** Other notifications, too, may be sent by anybody. */
const lookPauseMs = 50

const defaultTiming: WakeUpTiming = { testEveryMs: 15_000, echoMs: 5_000 }

/**
 * Listens for notifications on a connection of its own, sees at the start and again and again that they arrive, and reconnects when they
 * do not. Whether it listens or the worker merely polls is told whenever it changes. Where notifications cannot arrive it gives up.
 */
export function startWakeUp(runtime: Runtime, heard: Heard, timing = defaultTiming): Repetition {
  const { pooling, session } = runtime
  const { wake } = heard
  const lookForCancels = atMostEvery(lookPauseMs, heard.lookForCancels)
  const lookAtServices = atMostEvery(lookPauseMs, heard.lookAtServices)
  const pulse = createPulse()
  const stopping = new AbortController()
  const isDeafening = () => pooling.mode === 'transaction'
  let told: string | undefined

  function tell(mode: WakeMode, reason: PollingReason | null, error?: unknown): void {
    if (told === `${mode} ${reason}`) return
    told = `${mode} ${reason}`
    runtime.emit({ name: 'wake.mode', mode, reason, error: error === undefined ? null : describeError(error) })
    // While the database is away nobody reads the row either.
    void markWakeMode(runtime.queue, session.id, mode).catch(() => {})
  }

  async function listen(): Promise<void> {
    let deafStarts = 0
    for (let retryMs = firstRetryMs; !isDeafening(); retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      const onHeard = () => {
        deafStarts = 0
        retryMs = firstRetryMs
        tell('listening', null)
      }
      const { reason, error } = await listenOnce(runtime, {
        wake,
        lookForCancels,
        lookAtServices,
        onHeard,
        timing,
        pulse,
        signal: stopping.signal,
      })
      if (stopping.signal.aborted) return
      if (reason === 'deaf' && ++deafStarts >= deafStartsForPooler) pooling.notSessions('self_test')
      if (isDeafening()) break
      tell('polling', reason, error)
      await pulse.sleep(retryMs)
      if (stopping.signal.aborted) return
    }
    tell('polling', 'pooler')
  }

  const loop = listen()
  return {
    async stop() {
      stopping.abort()
      pulse.wake()
      await loop
    },
  }
}

/** Calls `fn` at once, unless it was called within the last `ms`; then once when they are over. */
function atMostEvery(ms: number, fn: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  let waiting = false
  const call = () => {
    waiting = false
    last = performance.now()
    fn()
  }
  return () => {
    const waitMs = last + ms - performance.now()
    if (waitMs <= 0) call()
    else if (!waiting) {
      waiting = true
      setTimeout(call, waitMs)
    }
  }
}
