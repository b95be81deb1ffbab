import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<object, object>(
  'jobs_forget_workers',
  () => sql`
    delete from job_workers w
    where w.id = any(array(
      select id from job_workers where rescued_at < clock_timestamp() - interval '7 days' order by rescued_at limit 100 for update skip locked))`,
)

/** Removes rows of workers that died, and were rescued, a week ago. */
export async function forgetWorkers(queue: QueueConnection): Promise<void> {
  await queue.run(query({}))
}
