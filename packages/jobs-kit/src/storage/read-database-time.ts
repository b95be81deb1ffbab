import { sql } from 'kysely'
import { type StorageDatabase, withTables } from './storage-database.ts'

/** The database's time now. No other clock decides anything: machines disagree, the database does not disagree with itself. */
export async function readDatabaseTime(db: StorageDatabase): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(withTables(db))
  return (rows[0] as { now: Date }).now
}
