import { createTestDatabase, type TestDatabase, type TestServer } from '@sidelinja/jobs-core/testing'
import { buildApp } from '../../support/build-app.ts'
import { freePort } from '../../support/free-port.ts'
import { startApp } from '../../support/start-app.ts'
import { createWebLogin } from '../../support/web-login.ts'
import { demoUsers } from './seeds.ts'

/** The built application on a database of its own, as a browser reaches it. */
export interface Host {
  origin: string
  database: TestDatabase
  /** The cookie of a demo user. */
  signIn(userId: string): Promise<{ name: string; value: string; url: string }>
  stop(): Promise<void>
}

/** Starts it on plain http, which it takes on this machine only. */
export async function startHost(
  server: Pick<TestServer, 'connectionString'> & Partial<TestServer>,
  env: Record<string, string> = {},
): Promise<Host> {
  const database = await createTestDatabase(server)
  const login = await createWebLogin(database)
  await buildApp()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const app = await startApp({
    ...{ DATABASE_URL: login.connectionString, ADMIN_DEMO_USERS: demoUsers, ADMIN_ORIGIN: origin, PORT: String(port) },
    ...env,
  })
  return {
    origin,
    database,
    async signIn(userId) {
      const answer = await fetch(`${origin}/?/signIn`, {
        method: 'POST',
        headers: { origin, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
        body: new URLSearchParams({ userId }),
        redirect: 'manual',
      })
      const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(';')[0]?.split('=') ?? []
      return { name, value, url: origin }
    },
    async stop() {
      await app.stop()
      await login.drop()
      await database.drop()
    },
  }
}
