import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createBreaker } from '../../src/index.ts'

/** Calls a service that does not answer, as a probe, and says so; to be killed. */
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '' })
await createBreaker(new Kysely({ dialect: new PostgresDialect({ pool }) }), { service: 'captions' }).call(async () => {
  process.stdout.write('calling\n')
  await new Promise(() => {})
})
