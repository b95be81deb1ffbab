import { startTestServer, type TestServer } from '@sidelinja/jobs-core/testing'
import type { TestProject } from 'vitest/node'
import { migration } from '../app.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: TestServer
  }
}

/** One server and one migrated template for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestServer({
    connectionString: process.env.DATABASE_URL,
    migrate: ({ query }) => query(migration),
  })
  project.provide('server', server)
  return stop
}
