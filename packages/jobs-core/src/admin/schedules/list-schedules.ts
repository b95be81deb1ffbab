import type { Kysely } from 'kysely'
import type { QueueDatabase } from '../../database/tables.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import type { ScheduleKey } from '../../schedule/schedule-options.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { nobody } from '../get-job.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { checkName } from './prepare-schedule.ts'
import type { Schedule } from './schedule-key.ts'

/** Which schedules to list, and from where on. */
export interface ListSchedulesOptions {
  /** Only schedules of this job type. Default: any. */
  type?: string
  /** 1 … 200. Default 50. */
  limit?: number
  /** Where the page before ended: its last schedule. */
  after?: ScheduleKey
}

const maxLimit = 200

/**
 * Lists schedules, by collection and name, a page at a time.
 * @throws PermanentError `LIST_LIMIT`, `LIST_FILTER`, `SCHEDULE_INVALID`
 */
export async function listSchedules(db: Kysely<QueueDatabase>, scope: Scope, options: ListSchedulesOptions = {}): Promise<Schedule[]> {
  const { type, limit = 50, after } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new PermanentError('LIST_LIMIT', `limit must be a whole number from 1 to ${maxLimit}, got ${show(limit)}.`)
  }
  if (type !== undefined && !/^[^\0\p{Cs}]{1,200}$/u.test(type)) {
    throw new PermanentError('LIST_FILTER', `Expected type to be a text of 1 to 200 characters, got ${show(type)}.`)
  }
  const collections = scopeIds(scope)
  let query = db.selectFrom('job_schedules').selectAll().orderBy('collection_node_id').orderBy('name').limit(limit)
  if (collections) query = query.where('collection_node_id', 'in', [...collections, nobody])
  if (type !== undefined) query = query.where('job_type', '=', type)
  if (after !== undefined) {
    checkAfter(after)
    query = query.where((eb) => eb(eb.refTuple('collection_node_id', 'name'), '>', eb.tuple(after.collectionNodeId, after.name)))
  }
  return query.execute()
}

function checkAfter({ collectionNodeId, name }: ScheduleKey): void {
  checkName(name)
  if (isUuid(collectionNodeId)) return
  throw new PermanentError('SCHEDULE_INVALID', `after must hold the collectionNodeId of a schedule, a uuid, got ${show(collectionNodeId)}.`)
}
