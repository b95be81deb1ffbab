import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { ScheduleKey } from '../../schedule/schedule-options.ts'
import type { Scope } from '../scope.ts'
import { checkKey } from './schedule-key.ts'

const query = statement<ScheduleKey, { id: string }>(
  'jobs_admin_delete_schedule',
  (p) => sql`
    delete from job_schedules where collection_node_id = ${p('collectionNodeId')}::uuid and name = ${p('name')}::text returning id`,
)

/**
 * Deletes a schedule with the history of its ticks. Jobs that it has enqueued stay: cancel them if they should not run.
 * @returns false when there was none: a removal may run at every start, too.
 * @throws QueueError `SCHEDULE_NOT_FOUND`, when its collection is outside the scope.
 */
export async function deleteSchedule(db: Queryable, { collectionNodeId, name }: ScheduleKey, scope: Scope): Promise<boolean> {
  checkKey({ collectionNodeId, name }, scope)
  return (await runQuery(db, query({ collectionNodeId, name }))).length > 0
}
