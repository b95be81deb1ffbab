// node --test --test-global-setup=global-setup.ts
import { type RunningTestServer, startTestServer } from '@sidelinja/jobs-core/testing'
import { migration } from '../app.ts'

let running: RunningTestServer

/** One server and one migrated template for the whole run. The runner hands its environment on to the processes of the test files. */
export async function globalSetup(): Promise<void> {
  running = await startTestServer({ connectionString: process.env.DATABASE_URL, migrate: ({ query }) => query(migration) })
  process.env.TEST_SERVER = JSON.stringify(running.server)
}

export const globalTeardown = () => running.stop()
