import { type Kysely, sql, type Transaction } from 'kysely'
import type { QueueDatabase } from '../../database/tables.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { show } from '../../text/show.ts'
import { readAccess, type UserAccess } from './read-access.ts'

/** How long a statement of a user may take. */
export interface AsUserOptions {
  /** Default 2,000 ms. */
  statementTimeoutMs?: number
}

/** What is done for a user sees these. */
export interface UserSession {
  trx: Transaction<QueueDatabase>
  userId: string
  access: UserAccess
}

const defaultTimeoutMs = 2_000
const lockTimeoutMs = 1_000

/**
 * Does something in one transaction for one user: `app.user_id` is set for that transaction and no longer, so that row-level security and the
 * queue's functions know who asks, and a connection that serves many users never remembers one. What the user may see is read in the same
 * transaction, from which on explicit filters name it too. `userId` must come from the host's own session.
 * @throws PermanentError `USER_INVALID`, and whatever `use` throws: then nothing it did stays.
 */
export async function asUser<Result>(
  db: Kysely<QueueDatabase>,
  userId: string,
  use: (session: UserSession) => Promise<Result>,
  { statementTimeoutMs = defaultTimeoutMs }: AsUserOptions = {},
): Promise<Result> {
  if (typeof userId !== 'string' || !/^[^\0\p{Cs}]{1,200}$/u.test(userId)) {
    throw new PermanentError('USER_INVALID', `A user id is a text of 1 to 200 characters, got ${show(userId)}.`)
  }
  return db.transaction().execute(async (trx) => {
    await sql`
      select set_config('app.user_id', ${userId}, true), set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
        set_config('lock_timeout', ${String(lockTimeoutMs)}, true), set_config('idle_in_transaction_session_timeout', '30000', true)`.execute(
      trx,
    )
    return use({ trx, userId, access: await readAccess(trx) })
  })
}
