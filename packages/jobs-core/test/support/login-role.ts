import { randomUUID } from 'node:crypto'
import { migrate, queueMigrations, roleMigrations } from '../../src/admin/index.ts'
import { administer } from '../../src/testing/server/administer.ts'
import type { OpenDatabase } from '../../src/testing/server/open-database.ts'

export interface LoginRole {
  name: string
  /** The same database, as this role. */
  connectionString: string
  /** Call it when the database is gone: what was granted to the role in it is gone then, too. */
  drop(): Promise<void>
}

/** Makes the group roles and the row-level security in a database of a test's own. */
export async function installRoles({ pool }: OpenDatabase): Promise<void> {
  await migrate(pool, { sources: [queueMigrations, roleMigrations] })
}

/** A login of a test's own: all test files share the server, and with it the roles. `server` is a superuser's connection string. */
export async function createLogin(server: string, database: OpenDatabase, ...memberships: string[]): Promise<LoginRole> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(
    server,
    `create role ${name} login password 'secret'${memberships.length > 0 ? ` in role ${memberships.join(', ')}` : ''}`,
  )
  return {
    name,
    connectionString: asRole(database.connectionString, name, 'secret'),
    drop: async () => void (await administer(server, `drop role ${name}`)),
  }
}

function asRole(connectionString: string, name: string, password: string): string {
  return Object.assign(new URL(connectionString), { username: name, password }).toString()
}
