import type { Selectable } from 'kysely'
import type { JobSchedulesTable } from '../../database/tables.ts'
import { QueueError } from '../../errors/queue-error.ts'
import type { ScheduleKey } from '../../schedule/schedule-options.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { checkName } from './prepare-schedule.ts'

/** A row of job_schedules. */
export type Schedule = Selectable<JobSchedulesTable>

/**
 * Checks that a key can name a schedule of the scope.
 * @throws PermanentError `SCHEDULE_INVALID`, `SCOPE_INVALID` · QueueError `SCHEDULE_NOT_FOUND`
 */
export function checkKey(key: ScheduleKey, scope: Scope): void {
  const collections = scopeIds(scope)
  checkName(key.name)
  const seen = isUuid(key.collectionNodeId) && (collections === null || collections.includes(key.collectionNodeId))
  if (!seen) throw scheduleNotFound(key)
}

/** No such schedule, or none the caller may see: the two look alike. */
export function scheduleNotFound({ name, collectionNodeId }: ScheduleKey): QueueError {
  return new QueueError(
    'SCHEDULE_NOT_FOUND',
    `There is no schedule ${show(name)} of collection ${show(collectionNodeId)} that you may see.`,
  )
}

export function collectionNotFound(collectionNodeId: string, cause?: unknown): QueueError {
  return new QueueError('COLLECTION_NOT_FOUND', `There is no collection ${show(collectionNodeId)} that you may schedule jobs for.`, {
    cause,
  })
}
