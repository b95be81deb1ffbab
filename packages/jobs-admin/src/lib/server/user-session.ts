import { isJobsError } from '@sidelinja/jobs-core'
import { asUser, type NotedAction, noteAction, type Scope, type UserSession } from '@sidelinja/jobs-core/admin'
import type { RouteContext } from './route.ts'

/** A transaction for the user who asks, and whose jobs they may see. */
export interface Session extends UserSession {
  /** The collections the user may see: named in every statement, beside row-level security. */
  scope: Scope
}

/** Reads as the user who asks, in one transaction. */
export async function reading<Result>(context: RouteContext<unknown>, use: (session: Session) => Promise<Result>): Promise<Result> {
  return asUser(context.database.db, context.userId, (session) => use({ ...session, scope: { collectionNodeIds: session.access.see } }))
}

/**
 * Acts as the user who asks, in one transaction. What the queue refuses is thrown only after that has committed, because the refusal stands in the
 * audit. Where the database itself refused, there is nothing to commit.
 */
export async function acting<Result>(context: RouteContext<unknown>, use: (session: Session) => Promise<Result>): Promise<Result> {
  let refusal: unknown
  const done = await reading(context, async (session) => {
    try {
      return { result: await use(session) }
    } catch (error) {
      if (!isJobsError(error, 'queue')) throw error
      refusal = error
      return undefined
    }
  }).catch((error: unknown) => {
    throw refusal !== undefined && isRolledBack(error) ? refusal : error
  })
  if (done === undefined) throw refusal
  return done.result
}

/** The same, of what no statement of its own writes down where it is refused: that is noted in a transaction of its own. */
export async function actingNoted<Result>(
  context: RouteContext<unknown>,
  about: Omit<NotedAction, 'refused'>,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  try {
    return await acting(context, use)
  } catch (refusal) {
    if (isJobsError(refusal, 'queue')) await reading(context, ({ trx }) => noteAction(trx, { ...about, refused: refusal.code }))
    throw refusal
  }
}

/** Kysely's word for a transaction that a failed statement had ended before its commit. */
function isRolledBack(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortedTransactionError'
}
