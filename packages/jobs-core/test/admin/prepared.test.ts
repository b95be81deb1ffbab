import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { listJobs, openAdminDatabase } from '../../src/admin/index.ts'
import { startPgbouncer } from '../support/pgbouncer.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const program = inject('pgbouncer')
if (!program) console.log('not run: 1 tests, needs pgbouncer')
const prepared = sql<{ name: string }>`select name from pg_prepared_statements order by name`

test('the page’s connections prepare the queue’s statements, each once', async () => {
  const database = openAdminDatabase({ connection: queue.database.connectionString, max: 1 })
  try {
    for (let n = 0; n < 3; n++) await listJobs(database.db, 'all')
    expect((await prepared.execute(database.db)).rows).toEqual([{ name: 'jobs_admin_list_newest' }])
  } finally {
    await database.close()
  }
})

test.skipIf(!program)('behind a pooler they prepare nothing', async () => {
  const pgbouncer = await startPgbouncer(program as string, queue.database.connectionString, {
    pool_mode: 'transaction',
    default_pool_size: 1,
  })
  const database = openAdminDatabase({ connection: pgbouncer.through(queue.database.connectionString), max: 2 })
  try {
    for (let n = 0; n < 3; n++) await Promise.all([listJobs(database.db, 'all'), listJobs(database.db, 'all')])
    expect((await prepared.execute(database.db)).rows).toEqual([])
  } finally {
    await database.close()
    await pgbouncer.stop()
  }
})
