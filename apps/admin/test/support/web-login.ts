import { randomUUID } from 'node:crypto'
import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { handlerMigrations, handlerRoleMigrations } from '@sidelinja/jobs-kit/storage'

export interface WebLogin {
  connectionString: string
  /** Call it before the database is dropped. */
  drop(): Promise<void>
}

/** What README.md says an administrator runs: a login for this application, with row-level security, and with rights to the host's own tables. */
export async function createWebLogin({ pool, connectionString }: TestDatabase): Promise<WebLogin> {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations, roleMigrations, handlerRoleMigrations] })
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await pool.query(`create role ${name} login password 'secret' in role queue_web`)
  await pool.query(`grant select on node_access to ${name}`)
  await pool.query(`grant select, insert on nodes, edges to ${name}`)
  return {
    connectionString: Object.assign(new URL(connectionString), { username: name, password: 'secret' }).toString(),
    drop: async () => void (await pool.query(`drop owned by ${name}; drop role ${name}`)),
  }
}
