import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What the breaker of a service says to whoever wants to call it. */
export interface Admission {
  admitted: boolean
  /** How often the breaker had opened; goes with what is recorded about the call. */
  opening: number
  /** The number of the probe that this call is. */
  probe: string | null
  /** How long to stay away, in milliseconds. */
  waitMs: number
  /** Since when the service is down. */
  since: Date | null
}

/** Asks for leave to call a service. While it is down one caller at a time gets it, as a probe, once its next probe is due. */
export async function admitServiceCall(db: StorageDatabase, service: string): Promise<Admission> {
  const { rows } = await sql<Admission>`
    select admitted, opening, probe, wait_ms as "waitMs", since from admit_service_call(${service}::text)`.execute(withTables(db))
  return rows[0] as Admission
}
