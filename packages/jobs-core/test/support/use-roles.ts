import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { createTestDatabase, insertNode, type TestDatabase } from '../../src/testing/index.ts'
import { createLogin, installRoles, type LoginRole } from './login-role.ts'

export const GROUP_ROLES = [
  'queue_owner',
  'queue_worker',
  'queue_enqueue',
  'queue_web',
  'queue_migrator',
  'queue_backup',
  'queue_metrics',
] as const
export type GroupRole = (typeof GROUP_ROLES)[number]

/** A database with roles, and a login for each of them. */
export interface TestRoles {
  readonly database: TestDatabase
  /** Two collections, of which the users below see one. */
  readonly mine: string
  readonly theirs: string
  /** Users with this role in `mine`. */
  readonly owner: string
  readonly viewer: string
  /** Connections of a login that is a member of this group role and of nothing else. */
  as(role: GroupRole): pg.Pool
  login(role: GroupRole): LoginRole
  /** Runs statements in one transaction of queue_web, for this user; null: for nobody. The rows of the last one. */
  forUser(user: string | null, ...statements: string[]): Promise<Record<string, unknown>[]>
}

const [owner, viewer] = ['01900000-0000-7000-8000-0000000000a1', '01900000-0000-7000-8000-0000000000a2']

export function useRoles(): TestRoles {
  let database: TestDatabase
  const logins = new Map<GroupRole, LoginRole>()
  const pools = new Map<GroupRole, pg.Pool>()
  const nodes: string[] = []

  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    await installRoles(database)
    for (const role of GROUP_ROLES) {
      const login = await createLogin(inject('server').connectionString, database, role)
      const pool = new pg.Pool({ connectionString: login.connectionString, max: 4 })
      pool.on('error', () => {})
      logins.set(role, login)
      pools.set(role, pool)
    }
    nodes.push((await insertNode(database.db)).id, (await insertNode(database.db)).id)
    for (const [user, role] of [
      [owner, 'owner'],
      [viewer, 'viewer'],
    ]) {
      await database.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [user, nodes[0], role])
    }
  })
  afterAll(async () => {
    await Promise.all([...pools.values()].map((pool) => pool.end()))
    await database.drop()
    for (const login of logins.values()) await login.drop()
  })

  const as = (role: GroupRole) => pools.get(role) as pg.Pool
  return {
    ...{ owner, viewer, as },
    get database() {
      return database
    },
    get mine() {
      return nodes[0] as string
    },
    get theirs() {
      return nodes[1] as string
    },
    login: (role) => logins.get(role) as LoginRole,
    async forUser(user, ...statements) {
      const client = await as('queue_web').connect()
      try {
        await client.query('begin')
        if (user) await client.query(`select set_config('app.user_id', $1, true)`, [user])
        let rows: Record<string, unknown>[] = []
        for (const statement of statements) rows = (await client.query(statement)).rows
        await client.query('commit')
        return rows
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  }
}
