import { isJobsError } from '@sidelinja/jobs-core'
import { asUser, type Scope, type UserSession } from '@sidelinja/jobs-core/admin'
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
 * audit.
 */
export async function acting<Result>(context: RouteContext<unknown>, use: (session: Session) => Promise<Result>): Promise<Result> {
  const done = await reading(context, async (session) => {
    try {
      return { result: await use(session) }
    } catch (refusal) {
      if (isJobsError(refusal, 'queue')) return { refusal }
      throw refusal
    }
  })
  if ('refusal' in done) throw done.refusal
  return done.result
}
