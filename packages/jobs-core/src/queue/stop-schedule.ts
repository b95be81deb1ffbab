import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

interface Params {
  id: string
  revision: number
  reason: string
}

const query = statement<Params, { id: string }>(
  'jobs_stop_schedule',
  (p) => sql`
    update job_schedules set error_msg = ${p('reason')}, next_at = null
    where id = ${p('id')}::uuid and revision = ${p('revision')}::int
    returning id`,
)

/** Notes why a schedule cannot tick; nobody looks at it until its timing changes. False when it is another one by now. */
export async function stopSchedule(queue: QueueConnection, schedule: Params): Promise<boolean> {
  return (await queue.run(query(schedule))).length > 0
}
