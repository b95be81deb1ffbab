import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<object, { watched: boolean }>(
  'jobs_is_page_watched',
  () => sql`select exists (select from job_page_watchers where expires_at > clock_timestamp()) as watched`,
)

/** Whether some process shows the page and wants to hear of changes. */
export async function isPageWatched(queue: QueueConnection): Promise<boolean> {
  return (await queue.run(query({})))[0]?.watched === true
}
