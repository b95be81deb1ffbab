import { PermanentError } from '../../errors/permanent-error.ts'
import { QueueError } from '../../errors/queue-error.ts'
import { isStorableText } from '../../text/is-storable-text.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { type Scope, scopeIds } from '../scope.ts'

/** What to pause or resume: a job type everywhere, a whole collection, or a type within a collection. */
export interface PauseTarget {
  /** The job type. Left out: every type of the collection. */
  type?: string | undefined
  /** The collection. Left out: every collection, which needs the scope `all`. */
  collectionNodeId?: string | undefined
}

/** Something that no worker takes for now. */
export interface Pause {
  /** Null: every type of the collection. */
  type: string | null
  /** Null: every collection. */
  collectionNodeId: string | null
  /** Who paused it, as they were named. */
  by: string | null
  /** Why. */
  reason: string | null
  since: Date
}

/** How a row of job_pauses is read: words without underscores, which no plugin of the caller's Kysely renames. */
export interface PauseRow {
  type: string | null
  collection: string | null
  by: string | null
  reason: string | null
  since: Date
}

export function toPause({ type, collection, by, reason, since }: PauseRow): Pause {
  return { type, collectionNodeId: collection, by, reason, since }
}

/**
 * The target as parameters.
 * @throws PermanentError `PAUSE_INVALID`, `SCOPE_INVALID` · QueueError `PAUSE_OUT_OF_SCOPE`
 */
export function checkTarget(target: PauseTarget, scope: Scope): { type: string | null; collection: string | null } {
  const allowed = scopeIds(scope)
  const type = target?.type ?? null
  const collection = target?.collectionNodeId ?? null
  if (type === null && collection === null) throw invalid('a job type, a collection or both', target)
  if (type !== null && !isStorableText(type, 63)) throw invalid('a type of 1 to 63 characters', type)
  if (collection !== null && !isUuid(collection)) throw invalid('a collectionNodeId that is a uuid', collection)
  if (allowed === null) return { type, collection }
  if (collection !== null && allowed.some((id) => id.toLowerCase() === collection.toLowerCase())) return { type, collection }
  throw outOfScope({ type, collection })
}

/** By the scope, or by the database where roles are installed. */
export function outOfScope({ type, collection }: { type: string | null; collection: string | null }, cause?: unknown): QueueError {
  return new QueueError(
    'PAUSE_OUT_OF_SCOPE',
    collection === null
      ? `Pausing or resuming ${type} in every collection needs the scope 'all', and where roles are installed a member of queue_owner; name a collection of yours.`
      : `Collection ${collection} is not one of those you may pause or resume.`,
    { cause },
  )
}

/**
 * A text that is stored beside a pause, or null.
 * @throws PermanentError `PAUSE_INVALID`
 */
export function checkText(name: string, value: string | undefined, max: number): string | null {
  if (value === undefined || value === null) return null
  if (isStorableText(value, max)) return value
  throw invalid(`${name} of 1 to ${max} characters`, value)
}

function invalid(expected: string, got: unknown): PermanentError {
  return new PermanentError('PAUSE_INVALID', `Expected ${expected}, got ${show(got)}.`)
}
