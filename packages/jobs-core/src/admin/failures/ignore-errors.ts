import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { QueueError } from '../../errors/queue-error.ts'
import { isStorableText } from '../../text/is-storable-text.ts'
import { show } from '../../text/show.ts'
import { type ActionNote, checkNote } from '../actions/action.ts'

/** Failed jobs of one type that failed for the same reason, in these collections. */
export interface ErrorGroupTarget {
  type: string
  /** As `listErrorGroups` has it. */
  group: string
  /** Those where whoever asks may act; of others nothing is set aside. */
  collectionNodeIds: readonly string[]
}

/** What to set aside, and until when. */
export interface IgnoreErrorsRequest extends ErrorGroupTarget, ActionNote {
  /** When more than this have failed since, in one collection, it stands among the others again: 0 … 1,000,000. Default 10. */
  more?: number | undefined
}

interface Params {
  type: string
  group: string
  collections: readonly string[]
  by: string | null
  reason: string | null
}

const ignoreQuery = statement<Params & { more: number }, { collections: number }>(
  'jobs_admin_ignore_errors',
  (p) => sql`
    select ignore_errors(${p('type')}::text, ${p('group')}::text, ${p('more')}::int, ${p('collections')}::uuid[], ${p('by')}::text,
      ${p('reason')}::text) as collections`,
)
const unignoreQuery = statement<Params, { collections: number }>(
  'jobs_admin_unignore_errors',
  (p) => sql`
    select unignore_errors(${p('type')}::text, ${p('group')}::text, ${p('collections')}::uuid[], ${p('by')}::text, ${p('reason')}::text) as collections`,
)

/**
 * Sets a group of errors aside until it grows: in each collection that has failed jobs of it now. They stay as they are, and are shown apart. Written down in
 * job_audit, once for each collection.
 * @returns in how many collections.
 * @throws PermanentError `ERROR_GROUP_INVALID`, `ACTION_NOTE` · QueueError `ERROR_GROUP_NOT_FOUND` (no failed job of it where the user may act)
 */
export async function ignoreErrors(db: Queryable, { more = 10, ...request }: IgnoreErrorsRequest): Promise<number> {
  if (!Number.isInteger(more) || more < 0 || more > 1_000_000) throw invalid('more to be a whole number from 0 to 1,000,000', more)
  return changed(await runQuery(db, ignoreQuery({ ...paramsOf(request), more })), request)
}

/**
 * Takes a group of errors back among the others, in each of the collections where it was set aside.
 * @returns in how many collections.
 * @throws PermanentError `ERROR_GROUP_INVALID`, `ACTION_NOTE` · QueueError `ERROR_GROUP_NOT_FOUND` (it was not set aside where the user may act)
 */
export async function unignoreErrors(db: Queryable, request: ErrorGroupTarget & ActionNote): Promise<number> {
  return changed(await runQuery(db, unignoreQuery(paramsOf(request))), request)
}

function paramsOf({ type, group, collectionNodeIds, ...note }: ErrorGroupTarget & ActionNote): Params {
  if (!isStorableText(type, 200)) throw invalid('type of 1 to 200 characters', type)
  if (!isStorableText(group, 64)) throw invalid('group of 1 to 64 characters', group)
  return { type, group, collections: collectionNodeIds, ...checkNote(note) }
}

function changed([row]: readonly { collections: number }[], { type, group }: ErrorGroupTarget): number {
  if (row && row.collections > 0) return row.collections
  throw new QueueError(
    'ERROR_GROUP_NOT_FOUND',
    `There is no group ${show(group)} of failed ${show(type)} in a collection where you may act.`,
  )
}

function invalid(expected: string, got: unknown): PermanentError {
  return new PermanentError('ERROR_GROUP_INVALID', `Expected ${expected}, got ${show(got)}.`)
}
