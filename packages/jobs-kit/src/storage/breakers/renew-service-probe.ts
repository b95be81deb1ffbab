import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** Says that a probe is alive; false when it was taken for dead, or is over. */
export async function renewServiceProbe(db: StorageDatabase, service: string, probe: string): Promise<boolean> {
  const { rows } = await sql<{ alive: boolean }>`select renew_service_probe(${service}::text, ${probe}::uuid) as alive`.execute(
    withTables(db),
  )
  return rows[0]?.alive === true
}
