import { randomUUID } from 'node:crypto'
import { createPulse } from '../../worker/pulse.ts'
import type { AdminDatabase } from '../access/open-admin-database.ts'
import { listenForHints } from './listen-for-hints.ts'
import { throttle } from './throttle.ts'

/** Whether notifications arrive. */
export interface ChangeWatch {
  /** False while the connection is away: then only polling tells. */
  readonly listening: boolean
  /** Calls back when something may have changed; returns how to stop that. */
  subscribe(onChange: () => void): () => void
  close(): Promise<void>
}

/** How it tells of trouble, and how often it looks after itself. */
export interface WatchOptions {
  /** Hears of each change between listening and not, with what ended it. Default: nobody does. */
  onListening?: (listening: boolean, error?: unknown) => void
  /** Default 15,000 ms: how often workers are told that somebody watches, and the connection is tried. */
  renewEveryMs?: number
}

const minRetryMs = 500
const maxRetryMs = 30_000
/** Notifications can be sent by anybody: so often they are looked at. */
const hintEveryMs = 250

/**
 * Listens, on one connection a process, for hints that jobs have changed. A hint carries nothing: whoever gets it reads again, as the user it
 * reads for. The connection is made with the first subscriber and closed with the last, and tells workers meanwhile that somebody watches.
 */
export function watchChanges({ config }: AdminDatabase, { onListening = () => {}, renewEveryMs = 15_000 }: WatchOptions = {}): ChangeWatch {
  const subscribers = new Set<() => void>()
  const watcherId = randomUUID()
  const pulse = createPulse()
  let closed = false
  let listening = false
  let loop: Promise<void> | undefined

  const wanted = () => !closed && subscribers.size > 0
  const onHint = throttle(hintEveryMs, () => {
    for (const onChange of subscribers) onChange()
  })
  const tell = (now: boolean, error?: unknown) => {
    if (listening === now) return
    listening = now
    onListening(now, error)
    // Whoever subscribed may want to say so.
    if (!now) onHint()
  }
  const heard = () => {
    tell(true)
    // What changed while nobody listened.
    onHint()
  }

  async function listen(): Promise<void> {
    let retryMs = minRetryMs
    while (wanted()) {
      try {
        await listenForHints({ config, watcherId, renewEveryMs, wanted, pulse, onHint, onListening: heard })
      } catch (error) {
        retryMs = listening ? minRetryMs : Math.min(retryMs * 2, maxRetryMs)
        tell(false, error)
        if (wanted()) await pulse.sleep(retryMs)
      }
    }
    tell(false)
    loop = wanted() ? listen() : undefined
  }

  return {
    get listening() {
      return listening
    },
    subscribe(onChange) {
      subscribers.add(onChange)
      loop ??= listen()
      return () => {
        subscribers.delete(onChange)
        if (subscribers.size === 0) pulse.wake()
      }
    },
    async close() {
      closed = true
      pulse.wake()
      await loop
    },
  }
}
