import { describe, expect, test } from 'vitest'
import { readCounts, refreshCounts } from '../../src/admin/index.ts'
import { insertNode, insertWorker } from '../../src/testing/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const due = () => queue.pool.query(`update job_count_rounds set next_at = '-infinity'`)

async function fresh(scope: Parameters<typeof readCounts>[1] = 'all') {
  await due()
  await refreshCounts(queue.db)
  return (await readCounts(queue.db, scope)).counts.map(({ type, status, jobs, capped }) => [type, status, jobs, capped]).toSorted()
}

describe('counts', () => {
  test('are of the scope, by type and status, as the table has them', async () => {
    const worker = await insertWorker(queue.db)
    const other = (await insertNode(queue.db)).id
    for (const status of ['pending', 'retry', 'completed', 'completed', 'error', 'cancelled'] as const) await queue.insert({ status })
    await queue.insert({ status: 'running', worker_id: worker.id, claim: '5' })
    await queue.insert({ status: 'pending', parked: true, job_type: 'parked_job' })
    await queue.insert({ status: 'error', collection_node_id: other, job_type: 'their_job' })
    const mine = [
      ['parked_job', 'pending', 1, false],
      ['test_job', 'pending', 1, false],
      ['test_job', 'running', 1, false],
      ['test_job', 'completed', 2, false],
      ['test_job', 'error', 1, false],
      ['test_job', 'retry', 1, false],
      ['test_job', 'cancelled', 1, false],
    ]
    expect(await fresh({ collectionNodeIds: [queue.collectionNodeId] })).toEqual(mine.toSorted())
    expect(await fresh()).toEqual([...mine, ['their_job', 'error', 1, false]].toSorted())
    expect(await fresh({ collectionNodeIds: [] })).toEqual([])
  })

  test('follow what changes, also to nothing, and to a collection that is deleted', async () => {
    const { id } = await queue.insert({ status: 'error' })
    const other = (await insertNode(queue.db)).id
    await queue.insert({ status: 'completed', collection_node_id: other })
    expect(await fresh()).toHaveLength(2)
    await queue.pool.query(`update job_queue set status = 'completed' where id = $1`, [id])
    await queue.pool.query('delete from nodes where id = $1', [other])
    expect(await fresh()).toEqual([['test_job', 'completed', 1, false]])
    await queue.pool.query('delete from job_queue')
    expect(await fresh()).toEqual([])
  })

  test('of finished jobs stop at ten thousand a collection, and say so', async () => {
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, status) select $1, 'test_job', '{}', 'completed' from generate_series(1, 10050)`,
      [queue.collectionNodeId],
    )
    expect(await fresh()).toEqual([['test_job', 'completed', 10_001, true]])
  })

  test('are told of a hundred types, those that have waited longest and those with most jobs, and of all others together', async () => {
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, status, scheduled_for)
       select $1, 'type_' || lpad(n::text, 3, '0'), '{}', case when n = 0 then 'pending' else 'error' end::job_status, now() - interval '1 hour'
       from generate_series(0, 119) n, generate_series(1, case when n < 20 then 1 else 2 end)`,
      [queue.collectionNodeId],
    )
    await queue.insert({ job_type: 'type_001', scheduled_for: new Date(Date.now() + 3_600_000) })
    const counts = await fresh()
    const types = new Set(counts.map(([type]) => type))
    expect([types.size, types.has('type_000'), types.has('type_001'), types.has('type_002')]).toEqual([100, true, true, false])
    const { others } = await readCounts(queue.db, 'all')
    expect(others?.types).toBe(20)
    expect(others?.counts.map(({ status, jobs, oldestDueAt }) => [status, jobs, oldestDueAt])).toEqual([['error', 22, null]])
  })

  test('tell since when the oldest is due, and are made once for all who ask at a time', async () => {
    const past = new Date('2026-01-01T00:00:00Z')
    await queue.insert({ scheduled_for: past })
    await queue.insert({ scheduled_for: new Date(Date.now() + 3_600_000) })
    await due()
    expect((await readCounts(queue.db, 'all')).due).toBe(true)
    const counted = await Promise.all(Array.from({ length: 8 }, () => refreshCounts(queue.db)))
    expect(counted.filter(Boolean)).not.toEqual([])
    const { counts, countedAt, due: again } = await readCounts(queue.db, 'all')
    expect(counts).toMatchObject([{ jobs: 2, oldestDueAt: past }])
    expect(countedAt).toBeInstanceOf(Date)
    expect(again).toBe(false)
    await queue.insert()
    expect(await refreshCounts(queue.db)).toBe(false)
  })
})
