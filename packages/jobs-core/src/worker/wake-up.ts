import pg from 'pg'
import { describeError } from '../errors/describe-error.ts'
import { createPulse } from './pulse.ts'
import type { Runtime } from './runtime.ts'

/** The channel migrations/queue notifies. */
const channel = 'job_queue_wake'
/** The channel that whoever cancels a running job notifies. */
const cancelChannel = 'job_queue_cancel'
const firstRetryMs = 500
const maxRetryMs = 30_000

export interface WakeUp {
  stop(): Promise<void>
}

/**
 * Listens for notifications on a connection of its own and reconnects when it breaks. While it is deaf the poll goes on, and each
 * loss is reported.
 */
export function startWakeUp(runtime: Runtime, wake: () => void, lookForCancels: () => void): WakeUp {
  const pulse = createPulse()
  let stopped = false
  let client: pg.Client | undefined
  const loop = (async () => {
    let retryMs = firstRetryMs
    while (!stopped) {
      const error = await listen()
      if (stopped) return
      runtime.emit({ name: 'listen.lost', error: error === undefined ? null : describeError(error) })
      await pulse.sleep(retryMs)
      retryMs = Math.min(retryMs * 2, maxRetryMs)
    }

    /** Resolves when the connection is over, with what ended it. */
    async function listen(): Promise<unknown> {
      client = new pg.Client({
        ...runtime.settings.connection,
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
        application_name: 'sidelinja-jobs listen',
      })
      const over = new Promise<unknown>((resolve) => {
        client?.once('error', resolve)
        client?.once('end', resolve)
      })
      client.on('error', () => {})
      client.on('notification', (heard) => (heard.channel === cancelChannel ? lookForCancels() : wake()))
      try {
        await client.connect()
        await client.query(`listen ${channel}; listen ${cancelChannel}`)
        retryMs = firstRetryMs
        // What was enqueued while nobody listened.
        wake()
        if (stopped) return undefined
        return await over
      } catch (error) {
        return error
      } finally {
        await client.end().catch(() => {})
      }
    }
  })()
  return {
    async stop() {
      stopped = true
      pulse.wake()
      await client?.end().catch(() => {})
      await loop
    },
  }
}
