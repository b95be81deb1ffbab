import { randomUUID } from 'node:crypto'
import { sqlState } from '../../database/sql-state.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { administer, dropDatabase, inDatabase } from './administer.ts'
import { closeDatabase, type OpenDatabase, openDatabase } from './open-database.ts'

/** Which server the tests use, and the migrated database each of them copies. Plain data: it survives `provide`, JSON and the environment. */
export interface TestServer {
  /** A connection string of a role that may create databases. */
  connectionString: string
  /** Name of a migrated database without connections. */
  template: string
}

/** A database of one test file's own. Pass it wherever a `db` is asked for, to `enqueue` as well. */
export interface TestDatabase extends OpenDatabase, AsyncDisposable {
  /** Closes the pool and removes the database, with whoever is still connected. Also what `await using` does. */
  drop(): Promise<void>
}

const objectInUse = '55006'

/**
 * Makes a database of this test file's own, as a copy of the server's template: about 50 ms.
 * @param server what `startTestServer` gave. Without a template, the database is empty.
 * @throws ConfigurationError `TEST_TEMPLATE_IN_USE`
 */
export async function createTestDatabase(server: Pick<TestServer, 'connectionString'> & Partial<TestServer>): Promise<TestDatabase> {
  const name = `${server.template ?? 'jobs_test'}_${randomUUID().replaceAll('-', '')}`
  await copyTemplate(server, name)
  const database = openDatabase(inDatabase(server.connectionString, name))
  let dropping: Promise<void> | undefined
  const drop = async () => {
    await closeDatabase(database)
    await dropDatabase(server.connectionString, name)
  }
  const dropOnce = () => {
    dropping ??= drop()
    return dropping
  }
  return { ...database, drop: dropOnce, [Symbol.asyncDispose]: dropOnce }
}

async function copyTemplate({ connectionString, template = 'template1' }: Partial<TestServer>, name: string): Promise<void> {
  try {
    await administer(connectionString ?? '', `create database ${name} template ${template}`)
  } catch (cause) {
    if (sqlState(cause) !== objectInUse) throw cause
    throw new ConfigurationError(
      'TEST_TEMPLATE_IN_USE',
      `The template ${template} cannot be copied while somebody is connected to it. What startTestServer calls to migrate it must close the connections it opens.`,
      { cause },
    )
  }
}
