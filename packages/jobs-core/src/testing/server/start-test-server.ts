import { randomUUID } from 'node:crypto'
import { migrate as migrateQueue } from '../../admin/migrate/migrate.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/start-embedded-postgres.ts'
import { administer, dropDatabase, inDatabase } from './administer.ts'
import { closeDatabase, type OpenDatabase, openDatabase } from './open-database.ts'
import type { TestServer } from './test-database.ts'
import { installTestSignal } from './test-signal.ts'

/** What {@link startTestServer} may be given. */
export interface TestServerOptions {
  /**
   * A server that is there already, by a role that may create databases. Default, also for an empty text: an embedded PostgreSQL, which
   * needs the optional peer `embedded-postgres` and ends with this process.
   */
  connectionString?: string | undefined
  /**
   * Makes your own tables in the empty template, with whatever you migrate with; close the connections you open. What is missing
   * of the queue's own tables is added afterwards. Default: only the queue's.
   */
  migrate?: ((template: OpenDatabase) => Promise<unknown>) | undefined
}

/** A server for the tests of one run. */
export interface RunningTestServer extends AsyncDisposable {
  /** What the test files need to know, for {@link createTestDatabase}. Plain data. */
  server: TestServer
  /** Ends the embedded server; on one that was given, removes the template and every copy that is left. Also what `await using` does. */
  stop(): Promise<void>
}

/**
 * Starts or uses a PostgreSQL and makes the migrated template in it, once for a whole run; each test file then copies it.
 * @throws what `startEmbeddedPostgres` and `migrate` throw; nothing is left running then.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<RunningTestServer> {
  const embedded = options.connectionString ? undefined : await startEmbeddedPostgres()
  const server = {
    connectionString: options.connectionString || (embedded?.connectionString() ?? ''),
    template: `jobs_test_${randomUUID().slice(0, 8)}`,
  }
  const stop = () => (embedded ? embedded.stop() : removeDatabases(server))
  try {
    await makeTemplate(server, options.migrate)
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
  return { server, stop, [Symbol.asyncDispose]: stop }
}

async function makeTemplate(server: TestServer, migrate: TestServerOptions['migrate']): Promise<void> {
  await administer(server.connectionString, `create database ${server.template}`)
  const template = openDatabase(inDatabase(server.connectionString, server.template))
  try {
    await migrate?.(template)
    await migrateQueue(template.pool)
    await template.query(installTestSignal)
  } finally {
    await closeDatabase(template)
  }
}

/** Copies carry the template's name, so those of a test that never dropped its own are found. */
async function removeDatabases({ connectionString, template }: TestServer): Promise<void> {
  const list = 'select datname from pg_database where starts_with(datname, $1)'
  for (const { datname } of await administer<{ datname: string }>(connectionString, list, [template])) {
    await dropDatabase(connectionString, datname)
  }
}
