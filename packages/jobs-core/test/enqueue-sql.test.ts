import { describe, expect, test } from 'vitest'
import { holdTransaction } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const select = async (text: string) => (await queue.pool.query(text.replaceAll(':c', `'${queue.collectionNodeId}'::uuid`))).rows

describe('enqueue_job, as triggers and psql call it', () => {
  test('needs three arguments; the others have defaults', async () => {
    const [row] = await select(`select * from enqueue_job(:c, 'a_job', '{"a": 1}')`)
    expect(row.outcome).toBe('created')
    expect(await queue.job(row.id)).toMatchObject({
      ...{ job_type: 'a_job', payload: { a: 1 }, status: 'pending', priority: 0, max_attempts: 3, unique_key: null, unique_held: false },
    })
    expect(await queue.dueInMs(row.id)).toBeLessThanOrEqual(0)
  })

  test('takes the others by name, and null for a default', async () => {
    const [row] = await select(
      `select * from enqueue_job(:c, 'a_job', '1', priority => 10::smallint, max_attempts => null, unique_key => 'k', correlation_id => 'x')`,
    )
    expect(await queue.job(row.id)).toMatchObject({
      ...{ priority: 10, max_attempts: 3, unique_key: 'k', unique_until: 'claimed', unique_held: true, correlation_id: 'x' },
    })
    expect(await select(`select outcome from enqueue_job(:c, 'a_job', '1', unique_key => 'k')`)).toEqual([{ outcome: 'kept' }])
  })

  test('works in a trigger of the host, inside its transaction', async () => {
    await queue.pool.query(`
      create function enqueue_for_node() returns trigger language plpgsql as $$
      begin perform enqueue_job(new.id, 'a_job', jsonb_build_object('nodeId', new.id)); return null; end $$;
      create trigger t after insert on nodes for each row execute function enqueue_for_node()`)
    const jobs = `select payload from job_queue where job_type = 'a_job'`
    const open = await holdTransaction(queue.pool, `insert into nodes (kind) values ('content')`)
    expect(await select(jobs)).toEqual([])
    expect((await open.query(jobs)).rows).toHaveLength(1)
    await open.rollback()
    expect(await select(jobs)).toEqual([])
    await queue.pool.query('drop trigger t on nodes')
  })

  test('does not take the names of columns for its arguments, nor a temporary table for ours', async () => {
    const client = await queue.pool.connect()
    await client.query('create temporary table job_queue (id uuid)')
    const { rows } = await client.query(`select * from enqueue_job($1, 'a_job', '1')`, [queue.collectionNodeId])
    await client.query('drop table pg_temp.job_queue')
    client.release()
    expect((await queue.job(rows[0].id)).job_type).toBe('a_job')
  })

  test.each([
    [`on_conflict => 'kep', unique_key => 'k'`, /on_conflict must be keep, replace or debounce, got 'kep'/],
    [`unique_until => 'done', unique_key => 'k'`, /unique_until must be claimed or finished, got 'done'/],
    [`on_conflict => 'kep'`, /on_conflict must be/],
    [`unique_until => 'done'`, /unique_until must be/],
    [`max_attempts => 0::smallint`, /max_attempts/],
    [`correlation_id => repeat('x', 201)`, /correlation_id/],
    [`unique_key => ''`, /unique_key/],
    [`unique_key => repeat('x', 513)`, /unique_key/],
  ])('refuses %s', async (argument, message) => {
    await expect(select(`select * from enqueue_job(:c, 'a_job', '1', ${argument})`)).rejects.toThrow(message)
  })

  test.each([
    [`null, 'a_job', '1'`, /collection_node_id/],
    [`:c, null, '1'`, /job_type/],
    [`:c, '', '1'`, /job_type/],
    [`:c, 'a_job', null`, /payload/],
    [`:c, 'a_job', to_jsonb(repeat('x', 131073))`, /job_queue_payload_size/],
  ])('refuses %s', async (given, message) => {
    await expect(select(`select * from enqueue_job(${given})`)).rejects.toThrow(message)
  })
})

describe('enqueue_jobs', () => {
  test('takes nulls for whole arrays and for elements', async () => {
    const rows = await select(
      `select * from enqueue_jobs(array[:c, :c], array['a_job', 'b_job'], array['1', '2']::jsonb[], array[5, null]::smallint[])`,
    )
    expect(await Promise.all(rows.map(async (row) => (await queue.job(row.id)).priority))).toEqual([5, 0])
  })

  test('of nothing gives nothing', async () => {
    expect(await select(`select * from enqueue_jobs('{}', '{}', '{}')`)).toEqual([])
  })

  test.each([
    `array[:c, :c], array['a_job'], array['1', '2']::jsonb[]`,
    `array[:c], array['a_job', 'b_job'], array['1']::jsonb[]`,
    `array[:c], array['a_job'], array['1', '2']::jsonb[]`,
    `array[:c], array['a_job'], array['1']::jsonb[], array[1, 2]::smallint[]`,
    `array[:c, :c], array['a_job', 'b_job'], array['1', '2']::jsonb[], array[1]::smallint[]`,
    `array[:c, :c], array['a_job', 'b_job'], array['1', '2']::jsonb[], unique_keys => array['k']`,
    `null, array['a_job'], array['1']::jsonb[]`,
    `array[:c], null, array['1']::jsonb[]`,
  ])('refuses arrays of different lengths: %s', async (given) => {
    await expect(select(`select * from enqueue_jobs(${given})`)).rejects.toThrow(/every array must be as long as collection_node_ids/)
  })
})
