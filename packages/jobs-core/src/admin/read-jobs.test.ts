import type { Kysely } from 'kysely'
import { DataType, newDb } from 'pg-mem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { QueueDatabase } from '../database/tables.ts'
import { countJobs } from './count-jobs.ts'
import { getJob } from './get-job.ts'

// Reads of a single statement, for which an imitation of PostgreSQL is faithful. Whatever writes, locks or pages is tested on a real one.

const [mine, theirs] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b']
const [first, second] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
let db: Kysely<QueueDatabase>

beforeAll(() => {
  const memory = newDb()
  memory.public.registerFunction({ name: 'now', returns: DataType.timestamptz, implementation: () => new Date(0) })
  memory.public.none(`
    create type job_status as enum ('pending', 'running', 'completed', 'error', 'retry', 'cancelled');
    create table job_queue (id uuid primary key, collection_node_id uuid not null, job_type text not null, payload jsonb not null,
      status job_status not null default 'pending');
    insert into job_queue values
      ('${first}', '${mine}', 'a_job', '{"n": 1}', 'pending'),
      ('${second}', '${theirs}', 'a_job', '{"n": 2}', 'error'),
      ('01900000-0000-7000-8000-000000000003', '${mine}', 'b_job', '3', 'pending'),
      ('01900000-0000-7000-8000-000000000004', '${mine}', 'a_job', '4', 'pending')`)
  db = memory.adapters.createKysely()
})

describe('getJob', () => {
  test('reads a job of the scope', async () => {
    expect(await getJob(db, first, 'all')).toMatchObject({ id: first, payload: { n: 1 }, status: 'pending' })
    expect(await getJob(db, first, { collectionNodeIds: [theirs, mine] })).toMatchObject({ id: first })
  })

  test('finds none outside the scope, and none where nothing is in scope', async () => {
    for (const collectionNodeIds of [[mine], []]) {
      await expect(getJob(db, second, { collectionNodeIds })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    }
  })
})

describe('countJobs', () => {
  test("counts by type and status, the scope's jobs only", async () => {
    expect(await countJobs(db, 'all')).toEqual([
      { type: 'a_job', status: 'error', count: 1 },
      { type: 'a_job', status: 'pending', count: 2 },
      { type: 'b_job', status: 'pending', count: 1 },
    ])
    expect(await countJobs(db, { collectionNodeIds: [theirs] })).toEqual([{ type: 'a_job', status: 'error', count: 1 }])
    expect(await countJobs(db, { collectionNodeIds: [] })).toEqual([])
  })
})
