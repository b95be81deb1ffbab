import pg from 'pg'
import type { Pulse } from '../../worker/pulse.ts'

/** What a connection that listens is told, and tells. */
export interface Listening {
  config: pg.ClientConfig
  /** Names this process among those that watch. */
  watcherId: string
  renewEveryMs: number
  /** False: it is to end. */
  wanted: () => boolean
  /** Wakes it: to end, or because the connection broke. */
  pulse: Pulse
  onHint: () => void
  /** It hears. */
  onListening: () => void
}

const channel = 'job_queue_page'
const connectMs = 10_000

/**
 * Listens for the life of one connection, or until it is not wanted any more, and tells workers meanwhile that somebody watches.
 * @throws what ended the connection
 */
export async function listenForHints({ config, watcherId, renewEveryMs, wanted, pulse, onHint, onListening }: Listening): Promise<void> {
  const client = new pg.Client({
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    ...config,
    application_name: 'sidelinja-jobs page',
  })
  let lost: { error: unknown } | undefined
  const over = (error?: unknown) => {
    lost ??= { error }
    pulse.wake()
  }
  client.on('error', over)
  client.on('end', () => over())
  client.on('notification', onHint)
  const renew = () => client.query('select watch_job_page($1, $2)', [watcherId, Math.ceil((renewEveryMs * 3) / 1_000)])
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    await renew()
    onListening()
    while (wanted() && !lost) {
      await pulse.sleep(renewEveryMs)
      if (wanted() && !lost) await renew()
    }
    if (lost) throw lost.error ?? new Error('The connection ended.')
  } finally {
    // Not waited for: a connection that is dead without saying so does not answer to a goodbye.
    void client.end().catch(() => {})
  }
}
