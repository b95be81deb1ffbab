import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What became of a call, as migrations/queue/0018_service_breakers.sql has it. */
export interface CallRecord {
  service: string
  opening: number
  probe: string | null
  verdict: 'success' | 'failure' | 'fault' | 'none'
  /** How long the service asked to be left alone, in milliseconds. */
  quietMs: number
  code: string | null
  message: string | null
  status: number | null
}

/** The breaker afterwards. */
export interface RecordedCall {
  open: boolean
  waitMs: number
  since: Date | null
}

/** Tells the breaker of a service what became of a call; undefined when nothing is known about the service, which is well then. */
export async function recordServiceCall(db: StorageDatabase, call: CallRecord): Promise<RecordedCall | undefined> {
  const { rows } = await sql<RecordedCall>`
    select is_open as open, wait_ms as "waitMs", since
    from record_service_call(${call.service}::text, ${call.opening}::int, ${call.probe}::uuid, ${call.verdict}::text, ${call.quietMs}::float8,
      ${call.code}::text, ${call.message}::text, ${call.status}::int)`.execute(withTables(db))
  return rows[0]
}
