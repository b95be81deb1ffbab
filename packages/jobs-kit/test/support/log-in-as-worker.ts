import { randomUUID } from 'node:crypto'
import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { handlerMigrations, handlerRoleMigrations } from '../../src/storage/index.ts'

/** Puts the database under row-level security and logs in as a member of queue_worker. */
export async function logInAsWorker(database: TestDatabase) {
  await migrate(database.pool, { sources: [queueMigrations, handlerMigrations, roleMigrations, handlerRoleMigrations] })
  const login = `test_${randomUUID().replaceAll('-', '')}`
  await database.query(`create role ${login} login password 'secret' in role queue_worker`)
  const url = Object.assign(new URL(database.connectionString), { username: login, password: 'secret' })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url.toString(), max: 2 }) }) })
  return {
    db,
    /** Before the database goes: the login with it. */
    async close() {
      await db.destroy()
      await database.query(`drop role ${login}`)
    },
  }
}
