import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** A salt may take a hundred thousand listeners with it. */
const MOST_SALTS = 20

/**
 * Deletes the salts, with their listener days, of days that have been over for 48 hours, in whatever collection: one that no longer
 * counts must not keep them. At most 20 a call, the oldest first; those that another transaction is at are left to it. Every
 * `stats_parse` run calls it; a host that runs none any more calls it once.
 * @returns how many salts were deleted.
 */
export async function sweepExpiredSalts(trx: StorageDatabase, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from podcast_salts
    where (collection_node_id, day) in (
      select collection_node_id, day from podcast_salts
      where expires_at <= ${now}
      order by expires_at
      limit ${MOST_SALTS}
      for update skip locked
    )
  `.execute(withTables(trx))
  return Number(numAffectedRows ?? 0)
}
