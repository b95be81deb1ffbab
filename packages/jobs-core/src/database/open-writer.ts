import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type ConnectGate, createConnectGate, gatedClient } from './connect-gate.ts'
import { surviveDisconnects } from './survive-disconnects.ts'

/** Connections for settles with a `write`: as the server sets them up, because the statements in them are not the queue's. */
export function openWriter(config: pg.PoolConfig, size: number, gate: ConnectGate = createConnectGate()): Kysely<unknown> {
  const pool = surviveDisconnects(
    new pg.Pool({
      ...config,
      max: size,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      application_name: 'sidelinja-jobs write',
      Client: gatedClient(gate),
    }),
  )
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}
