import type { Kysely, Transaction } from 'kysely'
import type { HostDatabase } from './db.ts'

type Work<Result> = (trx: Transaction<HostDatabase>) => Promise<Result>

/** Set here and not for the connection: poolers refuse that. */
const STATEMENT_MS = '10000'

/** Runs statements in a transaction that says for whom: row-level security and the queue's functions go by it. */
export function asUser<Result>(db: Kysely<HostDatabase>, userId: string, work: Work<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await trx
      .selectNoFrom(({ fn, lit, val }) => [
        fn('set_config', [val('app.user_id'), val(userId), lit(true)]).as('user_id'),
        fn('set_config', [val('statement_timeout'), val(STATEMENT_MS), lit(true)]).as('timeout'),
      ])
      .execute()
    return work(trx)
  })
}
