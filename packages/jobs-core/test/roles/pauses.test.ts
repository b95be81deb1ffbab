import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { listPauses, pauseJobs, resumeJobs } from '../../src/admin/index.ts'
import { clearQueue, insertJob } from '../../src/testing/index.ts'
import { openDatabase } from '../../src/testing/server/open-database.ts'
import { type GroupRole, useRoles } from '../support/use-roles.ts'

const roles = useRoles()
const nowhere = '01900000-0000-7000-8000-00000000dead'
const paused = async () =>
  (await roles.database.query('select job_type, collection_node_id from job_pauses order by id')).rows.map((row) => [
    row.job_type,
    row.collection_node_id,
  ])

afterEach(() => clearQueue(roles.database))

describe('pauses', () => {
  test('of a collection are made and ended by users who may act there, of no other', async () => {
    const { owner, viewer, mine, theirs } = roles
    await roles.forUser(owner, `select pause_jobs(null, '${mine}', 'kari')`, `select pause_jobs('a_job', '${mine}')`)
    expect(await paused()).toEqual([
      [null, mine],
      ['a_job', mine],
    ])
    for (const [user, collection] of [
      [owner, theirs],
      [owner, nowhere],
      [viewer, mine],
      [null, mine],
    ] as const) {
      await expect(roles.forUser(user, `select pause_jobs(null, '${collection}')`)).rejects.toMatchObject({
        code: 'JQ002',
        message: `there is no collection ${collection} whose jobs may be paused here`,
      })
    }
    await expect(roles.forUser(owner, `select pause_jobs('a_job')`)).rejects.toMatchObject({ code: 'JQ002' })
    for (const user of [viewer, null]) {
      expect(await roles.forUser(user, `select resume_jobs(null, '${mine}') as ended`)).toEqual([{ ended: false }])
    }
    expect(await paused()).toHaveLength(2)
    expect(await roles.forUser(owner, `select resume_jobs(null, '${mine}') as ended`)).toEqual([{ ended: true }])
    expect(await paused()).toEqual([['a_job', mine]])
  })

  test.each<GroupRole>(['queue_owner', 'queue_migrator'])('of everything are the business of %s', async (role) => {
    const db = roles.as(role)
    await pauseJobs(db, { type: 'a_job' }, 'all')
    await pauseJobs(db, { collectionNodeId: roles.theirs }, 'all')
    await expect(roles.forUser(roles.owner, `select pause_jobs('a_job')`)).rejects.toMatchObject({ code: 'JQ002' })
    expect(await roles.forUser(roles.owner, `select resume_jobs('a_job') as ended`)).toEqual([{ ended: false }])
    expect(await roles.forUser(roles.owner, `select resume_jobs(null, '${roles.theirs}') as ended`)).toEqual([{ ended: false }])
    expect(await paused()).toHaveLength(2)
    expect(await resumeJobs(db, { type: 'a_job' }, 'all')).toBe(true)
    expect(await resumeJobs(db, { collectionNodeId: roles.theirs }, 'all')).toBe(true)
  })

  test.each<GroupRole>(['queue_worker', 'queue_enqueue', 'queue_metrics', 'queue_backup'])('are not for %s', async (role) => {
    await pauseJobs(roles.database.pool, { type: 'a_job' }, 'all')
    for (const statement of [
      `select pause_jobs('a_job')`,
      `select resume_jobs('a_job')`,
      `insert into job_pauses (job_type) values ('b_job')`,
      'delete from job_pauses',
      'update job_pauses set reason = $$x$$',
    ]) {
      await expect(roles.as(role).query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('are seen by users whose jobs they hold up', async () => {
    for (const target of [{ type: 'a_job' }, { collectionNodeId: roles.mine }, { type: 'a_job', collectionNodeId: roles.theirs }]) {
      await pauseJobs(roles.database.pool, target, 'all')
    }
    for (const user of [roles.owner, roles.viewer]) {
      expect(await roles.forUser(user, 'select job_type, collection_node_id from job_pauses order by id')).toEqual([
        { job_type: 'a_job', collection_node_id: null },
        { job_type: null, collection_node_id: roles.mine },
      ])
    }
    expect(await roles.forUser(null, 'select id from job_pauses')).toEqual([])
    await expect(roles.forUser(roles.owner, 'delete from job_pauses')).rejects.toMatchObject({ code: '42501' })
    await expect(roles.forUser(roles.owner, `select unpark_jobs(1)`)).rejects.toMatchObject({ code: '42501' })
  })

  test('take back what was parked when the user ends them, and go with their collection', async () => {
    await roles.forUser(roles.owner, `select pause_jobs(null, '${roles.mine}')`)
    const job = await insertJob(roles.database.db, { collection_node_id: roles.mine, job_type: 'a_job' })
    const parked = async () => (await roles.database.query('select parked from job_queue where id = $1', [job.id])).rows
    await roles.as('queue_worker').query(`select park_paused_jobs('{a_job}', 10)`)
    expect(await parked()).toEqual([{ parked: true }])
    await roles.forUser(roles.owner, `select resume_jobs(null, '${roles.mine}')`)
    expect(await parked()).toEqual([{ parked: false }])
    const { rows } = await roles.database.query<{ id: string }>(`insert into nodes (kind) values ('collection') returning id`)
    await pauseJobs(roles.as('queue_owner'), { collectionNodeId: rows[0]?.id }, 'all')
    await roles.database.query('delete from nodes where id = $1', [rows[0]?.id])
    expect(await paused()).toEqual([])
  })

  test('go through the admin functions as everybody else', async () => {
    const web = openDatabase(roles.login('queue_web').connectionString)
    const act = <T>(use: (trx: typeof web.db) => Promise<T>) =>
      web.db.transaction().execute(async (trx) => {
        await sql`select set_config('app.user_id', ${roles.owner}, true)`.execute(trx)
        return use(trx)
      })
    try {
      await act((trx) => pauseJobs(trx, { collectionNodeId: roles.mine }, 'all', { by: 'kari' }))
      expect(await act((trx) => listPauses(trx, 'all'))).toMatchObject([{ collectionNodeId: roles.mine, by: 'kari' }])
      for (const target of [{ collectionNodeId: roles.theirs }, { type: 'a_job' }]) {
        await expect(act((trx) => pauseJobs(trx, target, 'all'))).rejects.toMatchObject({ code: 'PAUSE_OUT_OF_SCOPE' })
      }
      expect(await act((trx) => resumeJobs(trx, { collectionNodeId: roles.mine }, 'all'))).toBe(true)
    } finally {
      await web.db.destroy()
    }
  })
})
