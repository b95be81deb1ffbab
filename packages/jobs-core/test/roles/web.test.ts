import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { asUser, explainJob, getJob, listJobs } from '../../src/admin/index.ts'
import { insertJob, insertWorker } from '../../src/testing/index.ts'
import { openDatabase } from '../../src/testing/server/open-database.ts'
import { useRoles } from '../support/use-roles.ts'

const roles = useRoles()
const jobs: { mine?: string; theirs?: string } = {}

beforeAll(async () => {
  for (const whose of ['mine', 'theirs'] as const) {
    const job = await insertJob(roles.database.db, { collection_node_id: roles[whose], status: 'error' })
    await roles.database.query(`insert into job_steps (job_id, name, result, run) values ($1, 's', '1', 1)`, [job.id])
    jobs[whose] = job.id
  }
})

describe('queue_web', () => {
  const idsOf = (rows: Record<string, unknown>[]) => rows.map(({ id }) => id)

  test.each([['owner'], ['viewer']] as const)('as %s sees the jobs of their collections and no others', async (who) => {
    const user = roles[who]
    expect(idsOf(await roles.forUser(user, 'select id from job_queue'))).toEqual([jobs.mine])
    expect(await roles.forUser(user, `select id from job_queue where id = '${jobs.theirs}'`)).toEqual([])
    const attempts = await roles.forUser(user, 'select distinct job_id as id from job_attempts')
    expect(idsOf(attempts)).toEqual([jobs.mine])
    expect(await roles.forUser(user, `select count(*)::int as n from job_queue where failed`)).toEqual([{ n: 1 }])
  })

  test('for nobody, and for a stranger, sees nothing', async () => {
    for (const user of [null, '01900000-0000-7000-8000-0000000000ff']) {
      for (const table of ['job_queue', 'job_attempts']) expect(await roles.forUser(user, `select * from ${table}`)).toEqual([])
    }
    expect(await roles.forUser(null, 'select id from job_workers')).toEqual([])
  })

  test('forgets the user with the transaction, also when a connection serves many', async () => {
    const one = await roles.as('queue_web').connect()
    try {
      for (let n = 0; n < 20; n++) {
        await one.query('begin')
        if (n % 3 !== 2) await one.query(`select set_config('app.user_id', $1, true)`, [n % 3 === 0 ? roles.owner : roles.viewer])
        const { rows } = await one.query('select id from job_queue')
        await one.query(n % 2 === 0 ? 'commit' : 'rollback')
        expect(rows.length).toBe(n % 3 === 2 ? 0 : 1)
        expect((await one.query('select id from job_queue')).rows).toEqual([])
      }
    } finally {
      one.release()
    }
  })

  test('loses what a user loses, at the next statement', async () => {
    await roles.database.query('delete from node_access where user_id = $1', [roles.viewer])
    expect(await roles.forUser(roles.viewer, 'select id from job_queue')).toEqual([])
    await roles.database.query(`insert into node_access (user_id, node_id, role) values ($1, $2, 'viewer')`, [roles.viewer, roles.mine])
    expect((await roles.forUser(roles.viewer, 'select id from job_queue')).length).toBe(1)
  })

  test.each([
    ['changes no job', `update job_queue set status = 'pending'`],
    ['deletes no job', 'delete from job_queue'],
    ['inserts no job', `insert into job_queue (collection_node_id, job_type, payload) select collection_node_id, 'x', '{}' from job_queue`],
    ['writes no history', `insert into job_attempts (job_id, run, attempt, end_reason) select id, 1, 1, 'retried_by_admin' from job_queue`],
    ['reads no stored steps', 'select * from job_steps'],
    ['does not learn where workers run', 'select host from job_workers'],
    ['reads nobody’s access', 'select * from node_access'],
    ['is no worker', 'select wake_idle_workers(array[$$x$$])'],
    ['reads no metrics', 'select * from job_metrics()'],
  ])('%s', async (_name, statement) => {
    await expect(roles.forUser(roles.owner, statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('goes through the admin functions as everybody else', async () => {
    const web = openDatabase(roles.login('queue_web').connectionString)
    try {
      await web.db.transaction().execute(async (trx) => {
        await sql`select set_config('app.user_id', ${roles.owner}, true)`.execute(trx)
        expect((await listJobs(trx, 'all', { status: 'error' })).jobs.map(({ id }) => id)).toEqual([jobs.mine])
        await expect(getJob(trx, jobs.theirs as string, 'all')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
      })
    } finally {
      await web.db.destroy()
    }
  })
})

test('explaining looks at jobs and machines of everybody, and tells a user only of jobs they see, and no machine', async () => {
  await expect(explainJob(roles.as('queue_web'), jobs.mine as string, 'all')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  expect(await explainJob(roles.as('queue_migrator'), jobs.mine as string, 'all')).toMatchObject({ reasons: [{ code: 'FAILED' }] })
  const worker = await insertWorker(roles.database.db, { host: 'secret-box' })
  const running = await insertJob(roles.database.db, { collection_node_id: roles.mine, status: 'running', worker_id: worker.id })
  const web = openDatabase(roles.login('queue_web').connectionString)
  try {
    const explained = await asUser(web.db as never, roles.viewer, ({ trx }) => explainJob(trx, running.id, 'all'))
    expect(explained).toMatchObject({ status: 'running' })
    expect(JSON.stringify(explained)).not.toContain('secret-box')
    expect(JSON.stringify(await explainJob(roles.as('queue_migrator'), running.id, 'all'))).toContain('secret-box')
    const foreign = asUser(web.db as never, roles.viewer, ({ trx }) => explainJob(trx, jobs.theirs as string, 'all'))
    await expect(foreign).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  } finally {
    await web.db.destroy()
    await roles.database.query('delete from job_queue where id = $1', [running.id])
    await roles.database.query('delete from job_workers where id = $1', [worker.id])
  }
})

describe('the other roles', () => {
  test('queue_enqueue reads and inserts nothing by itself', async () => {
    for (const statement of [
      'select id from job_queue',
      `insert into job_queue (collection_node_id, job_type, payload) values (null, 'x', '1')`,
    ]) {
      await expect(roles.as('queue_enqueue').query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('queue_metrics sees numbers and no rows', async () => {
    expect((await roles.as('queue_metrics').query('select * from job_metrics()')).rows).toEqual([
      { job_type: expect.any(String), status: 'error', jobs: '2', oldest_due_at: null },
    ])
    await expect(roles.as('queue_metrics').query('select id from job_queue')).rejects.toMatchObject({ code: '42501' })
  })

  test('queue_backup reads every row, and would rather fail than leave some out; it changes none', async () => {
    const client = await roles.as('queue_backup').connect()
    try {
      // As pg_dump does it. A login has the attribute only as the role itself: pg_dump --role=queue_backup.
      await client.query('set row_security = off')
      await expect(client.query('select id from job_queue')).rejects.toMatchObject({ code: '42501' })
      await client.query('set role queue_backup')
      for (const table of ['job_queue', 'job_steps', 'nodes', 'node_access']) {
        expect((await client.query(`select from ${table}`)).rowCount).toBe(2)
      }
      const { rows } = await client.query(`
        select oid::regclass as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S') and relowner = 'queue_owner'::regrole`)
      expect(rows.length).toBeGreaterThan(10)
      for (const { name } of rows) await client.query(`select * from ${name} limit 1`)
      await expect(client.query('delete from job_queue')).rejects.toMatchObject({ code: '42501' })
      await client.query('reset role; set row_security = on')
      expect((await client.query('select from job_queue')).rowCount).toBe(2)
    } finally {
      client.release(true)
    }
  })

  test('whoever needs all rows and is not allowed them gets an error instead of some', async () => {
    const client = await roles.as('queue_web').connect()
    await client.query('set row_security = off')
    const asking = client.query('select id from job_queue').finally(() => client.release(true))
    await expect(asking).rejects.toMatchObject({ code: '42501' })
  })

  test('queue_worker changes of a job what a run changes, and deletes none', async () => {
    const worker = roles.as('queue_worker')
    for (const change of [
      'payload = $${}$$',
      `collection_node_id = '${roles.mine}'`,
      `job_type = 'x'`,
      'max_attempts = 9',
      `unique_key = 'x'`,
    ]) {
      await expect(worker.query(`update job_queue set ${change}`)).rejects.toMatchObject({ code: '42501' })
    }
    await expect(worker.query('delete from job_queue')).rejects.toMatchObject({ code: '42501' })
    await expect(worker.query('alter table job_queue disable row level security')).rejects.toMatchObject({ code: '42501' })
  })
})
