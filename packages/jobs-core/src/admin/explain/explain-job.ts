import type { Queryable } from '../../database/queryable.ts'
import type { JobStatus } from '../../database/tables.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { jobNotFound, type Scope, scopeIds } from '../scope.ts'
import { readSnapshot } from './read-snapshot.ts'
import type { Reason } from './reason.ts'
import { rules } from './reasons/index.ts'
import { nextPoll } from './reasons/next-poll.ts'
import type { Snapshot } from './snapshot.ts'

/** Why a job is not running: see {@link explainJob}. */
export interface Explanation {
  id: string
  status: JobStatus
  /** At least one; what must change first comes first. */
  reasons: readonly Reason[]
  /** The sentences of the reasons, one after the other. */
  sentence: string
}

/**
 * Says why a job is not running: as data, and in a sentence. Of a job that runs or has ended it says that. Reads one bounded
 * statement and changes nothing.
 * @throws JobNotFoundError `JOB_NOT_FOUND`, also for a job outside the scope · PermanentError `SCOPE_INVALID`
 */
export async function explainJob(db: Queryable, id: string, scope: Scope): Promise<Explanation> {
  const collections = scopeIds(scope)
  const snapshot = isUuid(id) ? await readSnapshot(db, id, collections) : undefined
  if (!snapshot) throw jobNotFound(id)
  return explain(snapshot)
}

/** Asks every rule; where none has anything to say, nothing keeps the job. */
export function explain(snapshot: Snapshot): Explanation {
  const found = rules.flatMap((rule) => rule(snapshot) ?? [])
  const reasons = found.length > 0 ? found : [nextPoll(snapshot)]
  const { id, status } = snapshot.job
  return { id, status, reasons, sentence: reasons.map((reason) => reason.sentence).join(' ') }
}
