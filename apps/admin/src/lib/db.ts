import type { JsonValue } from '@sidelinja/jobs-core'
import { type QueueDatabase, surviveDisconnects } from '@sidelinja/jobs-core/admin'
import { type Generated, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DATABASE_URL } from '$app/env/private'

/** The host's own tables that this application reads and writes, beside the queue's. */
export interface HostDatabase extends QueueDatabase {
  node_access: { user_id: string; node_id: string; role: string }
  edges: {
    id: Generated<string>
    source_id: string
    target_id: string
    kind: string
    status: string | null
    metadata: Generated<JsonValue>
  }
}

/** Small: many tabs must not take the connections that workers need. */
const pool = surviveDisconnects(
  new pg.Pool({
    connectionString: DATABASE_URL,
    max: 5,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    application_name: 'sidelinja-admin',
  }),
)

/** Opens no connection yet. */
export const db = new Kysely<HostDatabase>({ dialect: new PostgresDialect({ pool }) })
