import { describe, expect, test } from 'vitest'
import { settleAndClaim } from '../src/queue/settle-and-claim.ts'
import { sentQuery } from './support/sent-query.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const types = ['type_a', 'type_b', 'type_c']
const fill = (count: number, columns: string) =>
  queue.pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, priority, scheduled_for)
     select $1, ${columns} from generate_series(1, $2) n`,
    [queue.collectionNodeId, count],
  )

describe('a claim that looks type by type', () => {
  test('takes the same jobs in the same order as one that does not', async () => {
    await fill(60, `'type_' || substr('abcd', n % 4 + 1, 1), '{}', n * 7 % 5, now() + (n % 11 - 8) * interval '1 second'`)
    const expected = await queue.pool.query(
      `select id from job_queue where job_type = any($1) and scheduled_for <= now() order by priority desc, scheduled_for, sequence limit 20`,
      [types],
    )
    const workerId = await statements.register()
    const { claimed, more } = await statements.trip({ workerId, types, limit: 20, freeSlots: 20, byType: true })
    expect(claimed.map(({ id }) => id)).toEqual(expected.rows.map(({ id }) => id))
    expect(more).toBe(true)
  })

  test('shares the jobs out among workers that claim at the same time', async () => {
    await fill(300, `'type_a', '{}', 0, now()`)
    const workers = await Promise.all(Array.from({ length: 6 }, () => statements.register()))
    const claims = async (workerId: string) => {
      const mine: string[] = []
      for (let n = 0; n < 30; n++) {
        const trip = { workerId, types, limit: 5, freeSlots: 5, byType: true }
        mine.push(...(await statements.trip(trip)).claimed.map(({ id }) => id))
      }
      return mine
    }
    const all = (await Promise.all(workers.map(claims))).flat()
    // Who finds only what others have just locked comes back with less, and comes again.
    all.push(...(await claims(workers[0] ?? '')))
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBe(300)
  })

  test('reads the index led by the type, also when another type fills the table', async () => {
    await fill(20_000, `'type_z', '{}', 0, now()`)
    await queue.pool.query('analyze job_queue')
    const nothing = { completed: [], starting: [], claim: 1, lookahead: 0, rescuedHeld: 0, lastChanceHeld: false }
    const { text, values } = await sentQuery((connection) =>
      settleAndClaim(connection, { ...nothing, workerId: queue.collectionNodeId, types, limit: 3, freeSlots: 3, byType: true }),
    )
    const explain = { name: 'explained', text: `explain (costs off) ${text}`, values }
    const plan = (await statements.connection.run<{ 'QUERY PLAN': string }>(explain)).map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Scan using job_queue_claimable_by_type on job_queue j/)
    expect(plan).not.toMatch(/using job_queue_claimable on/)
    expect(plan).not.toMatch(/Seq Scan on job_queue/)
  })
})
