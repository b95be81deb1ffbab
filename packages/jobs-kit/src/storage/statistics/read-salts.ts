import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** The salts of the given days, by day. They cannot be deleted before the transaction ends. */
export async function readSalts(trx: StorageDatabase, collectionNodeId: string, days: readonly string[]): Promise<Map<string, Buffer>> {
  const rows = await withTables<StatisticsTables>(trx)
    .selectFrom('podcast_salts')
    .select([sql<string>`day::text`.as('day'), 'salt'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('day', '=', sql<Date>`any(${days}::date[])`)
    .orderBy('podcast_salts.day')
    .forKeyShare()
    .execute()
  return new Map(rows.map(({ day, salt }) => [day, salt]))
}
