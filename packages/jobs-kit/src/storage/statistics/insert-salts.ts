import { randomBytes } from 'node:crypto'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** A counting day and when its salt must go. */
export interface SaltDay {
  /** `2026-11-30`, in the collection's zone. */
  readonly day: string
  /** 48 hours after the day's end. */
  readonly expiresAt: Date
}

/** Gives each day that has none a salt of 32 random bytes; a salt that exists is kept. `days` are sorted, so that two runs never wait for each other. */
export async function insertSalts(trx: StorageDatabase, collectionNodeId: string, days: readonly SaltDay[]): Promise<void> {
  await withTables<StatisticsTables>(trx)
    .insertInto('podcast_salts')
    .values(days.map(({ day, expiresAt }) => ({ collection_node_id: collectionNodeId, day, salt: randomBytes(32), expires_at: expiresAt })))
    .onConflict((conflict) => conflict.columns(['collection_node_id', 'day']).doNothing())
    .execute()
}
