import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ channel: string }, object>('jobs_notify', (p) => sql`select pg_notify(${p('channel')}::text, '')`)

/** Sends a notification without data. */
export async function notify(queue: QueueConnection, channel: string): Promise<void> {
  await queue.run(query({ channel }))
}
