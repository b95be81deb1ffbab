import { randomUUID } from 'node:crypto'
import { type AdminDatabase, migrate, openAdminDatabase, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { clearQueue, createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import {
  type AdminEvent,
  type JobsAdmin,
  type JobsAdminOptions,
  type JobsPage,
  jobsAdmin,
  type PageEvent,
} from '../src/lib/server/index.ts'

const origin = 'https://admin.example.org'

/** Somebody who asks, and what they may do beside what node_access gives them. */
export interface TestUser {
  userId: string
  rights?: readonly string[]
}

/** The endpoints on a database with roles and row-level security, reached as queue_web. */
export interface TestAdmin {
  readonly database: TestDatabase
  /** As queue_web. */
  readonly web: AdminDatabase
  /** Three collections: a user owns the first, may see the second, and has nothing to do with the third. */
  readonly mine: string
  readonly seen: string
  readonly foreign: string
  readonly user: TestUser
  /** Somebody who owns the third. */
  readonly stranger: TestUser
  /** What was reported to the host. A test that expects some takes them out: what is left fails it. */
  readonly errors: unknown[]
  get(user: TestUser | null, path: string, headers?: Record<string, string>): Promise<Response>
  post(user: TestUser | null, intention: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** `load` and `actions`, as SvelteKit calls them. */
  readonly page: JobsPage<TestEvent>
  /** What they are called with; `form`: a form that was sent. */
  event(user: TestUser | null, path: string, form?: Record<string, string>): TestEvent & PageEvent
  /** Any request at all. */
  send(user: TestUser | null, path: string, init?: RequestInit): Promise<Response>
  giveAccess(user: TestUser, node: string, role: string): Promise<void>
}

/** What the tests' host knows of a request. */
export type TestEvent = AdminEvent & { locals: { user: TestUser | null } }

/** How the endpoints reach the database, where it is not as queue_web on openAdminDatabase's own connections. */
export interface TestConnection {
  /** As the database's owner, whom row-level security does not hold back. */
  asSuperuser?: boolean
  /** Default 4. */
  max?: number
  /** What the connections are made with beside the connection string. */
  config?: object
}

/**
 * @param options beside who asks and what they may
 * @param connection how the database is reached
 */
export function useAdmin(options: Partial<JobsAdminOptions<TestEvent>> = {}, connection: TestConnection = {}): TestAdmin {
  let database: TestDatabase
  let web: AdminDatabase
  let admin: JobsAdmin<TestEvent>
  const nodes: string[] = []
  const errors: unknown[] = []
  const login = `test_${randomUUID().replaceAll('-', '')}`
  const user = { userId: randomUUID() }
  const stranger = { userId: randomUUID() }

  const giveAccess = async ({ userId }: TestUser, node: string, role: string) => {
    await database.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [userId, node, role])
  }

  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    await migrate(database.pool, { sources: [queueMigrations, roleMigrations] })
    await database.query(`create role ${login} login password 'secret' in role queue_web`)
    const asWeb = Object.assign(new URL(database.connectionString), { username: login, password: 'secret' }).toString()
    const connectionString = connection.asSuperuser ? database.connectionString : asWeb
    web = openAdminDatabase({
      connection: { connectionString, ...connection.config },
      ...(connection.max !== undefined && { max: connection.max }),
    })
    for (const title of ['Mine', 'Seen', 'Foreign']) nodes.push((await insertNode(database.db, { title })).id)
    await giveAccess(user, nodes[0] as string, 'owner')
    await giveAccess(user, nodes[1] as string, 'viewer')
    await giveAccess(stranger, nodes[2] as string, 'owner')
    admin = jobsAdmin<TestEvent>({
      database: web,
      identify: ({ locals }) => locals.user,
      authorize: ({ locals }, _identity, right) => (locals.user?.rights ?? ['view', 'act']).includes(right),
      onError: (error) => void errors.push(error),
      actionsPerMinute: { single: 1_000_000, bulk: 1_000_000 },
      ...options,
    })
  })
  afterEach(async () => {
    await clearQueue(database.db)
    expect(errors).toEqual([])
  })
  afterAll(async () => {
    await admin.close()
    await web.close()
    await database.query(`drop role ${login}`)
    await database.drop()
  })

  const send = async (who: TestUser | null, path: string, init: RequestInit = {}) => {
    const request = new Request(`${origin}${path}`, init)
    const event = { request, url: new URL(request.url), route: { id: null }, locals: { user: who } } as unknown as TestEvent
    return admin.handle({ event, resolve: async () => new Response('the host', { status: 299 }) } as never)
  }
  return {
    ...{ user, stranger, errors, send, giveAccess },
    get database() {
      return database
    },
    get web() {
      return web
    },
    get mine() {
      return nodes[0] as string
    },
    get seen() {
      return nodes[1] as string
    },
    get foreign() {
      return nodes[2] as string
    },
    get page() {
      return admin.page
    },
    event(who, path, form) {
      const url = new URL(path, origin)
      const request = new Request(url, form && { method: 'POST', body: new URLSearchParams(form) })
      return { request, url, route: { id: null }, locals: { user: who }, cookies: { get: () => undefined, set: () => {} } }
    },
    get: (who, path, headers = {}) => send(who, `/admin/jobs${path}`, { headers: { accept: 'application/json', ...headers } }),
    post: (who, intention, body, headers = {}) =>
      send(who, `/intentions/${intention}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin, ...headers },
        body: JSON.stringify(body),
      }),
  }
}
