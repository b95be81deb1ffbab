import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { probePooler } from '../src/database/pooling.ts'
import { type Pgbouncer, startPgbouncer } from './support/pgbouncer.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const program = inject('pgbouncer')
if (!program) console.log('not run: 5 tests, needs pgbouncer')

test('a direct connection is a session', async () => {
  expect(await probePooler({ connectionString: queue.connectionString })).toBe('session')
})

describe.each([
  ['session', {}, 'session'],
  ['transaction', {}, 'transaction'],
  ['transaction', { server_round_robin: 1 }, 'transaction'],
  ['transaction', { default_pool_size: 1 }, 'transaction'],
])('PgBouncer in %s mode with %o', (pool_mode, settings, expected) => {
  let pgbouncer: Pgbouncer | undefined
  beforeAll(async () => {
    if (program) pgbouncer = await startPgbouncer(program, queue.connectionString, { pool_mode, ...settings })
  })
  afterAll(() => pgbouncer?.stop())

  test.skipIf(!program)('is seen for what it is', async () => {
    const connectionString = pgbouncer?.through(queue.connectionString)
    for (let n = 0; n < 5; n++) expect(await probePooler({ connectionString })).toBe(expected)
  })
})
