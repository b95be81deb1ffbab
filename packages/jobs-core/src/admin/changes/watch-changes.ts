import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { AdminDatabase } from '../access/open-admin-database.ts'

/** Whether notifications arrive. */
export interface ChangeWatch {
  /** False while the connection is away or behind a pooler: then only polling tells. */
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

const channel = 'job_queue_page'
const minRetryMs = 500
const maxRetryMs = 30_000
/** Notifications can be sent by anybody: so many a second are looked at. */
const quietMs = 250

/**
 * Listens, on one connection a process, for hints that jobs have changed. A hint carries nothing: whoever gets it reads again, as the user it
 * reads for. The connection is made with the first subscriber and closed with the last, and tells workers meanwhile that somebody watches.
 */
export function watchChanges({ config }: AdminDatabase, { onListening = () => {}, renewEveryMs = 15_000 }: WatchOptions = {}): ChangeWatch {
  const subscribers = new Set<() => void>()
  const id = randomUUID()
  let closed = false
  let listening = false
  let loop: Promise<void> | undefined
  let wake = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const tell = (now: boolean, error?: unknown) => {
    if (listening === now) return
    listening = now
    onListening(now, error)
  }
  const hint = throttle(quietMs, () => {
    for (const onChange of subscribers) onChange()
  })

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      ...config,
      application_name: 'sidelinja-jobs page',
    })
    let lost: { error: unknown } | undefined
    const over = (error?: unknown) => {
      lost ??= { error }
      wake()
    }
    client.on('error', over)
    client.on('end', () => over())
    client.on('notification', hint)
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      tell(true)
      // What changed while nobody listened.
      hint()
      while (!closed && !lost && subscribers.size > 0) {
        await client.query('select watch_job_page($1, $2)', [id, Math.ceil((renewEveryMs * 3) / 1_000)])
        if (!lost) await pause(renewEveryMs)
      }
      if (lost) throw lost.error ?? new Error('The connection ended.')
    } finally {
      void client.end().catch(() => {})
    }
  }

  async function listen(): Promise<void> {
    for (let retryMs = minRetryMs; !closed && subscribers.size > 0; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      try {
        await listenOnce()
        retryMs = minRetryMs / 2
      } catch (error) {
        tell(false, error)
        if (!closed) await pause(retryMs)
      }
    }
    tell(false)
    loop = undefined
    if (!closed && subscribers.size > 0) loop = listen()
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
        if (subscribers.size === 0) wake()
      }
    },
    async close() {
      closed = true
      wake()
      await loop
    },
  }
}

/** Calls `fn` soon, and at most once in `ms`. */
function throttle(ms: number, fn: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(
      () => {
        waiting = false
        last = performance.now()
        fn()
      },
      Math.max(0, last + ms - performance.now()),
    ).unref()
  }
}
