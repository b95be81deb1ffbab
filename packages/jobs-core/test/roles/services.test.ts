import { afterEach, describe, expect, test } from 'vitest'
import { listServiceBreakers, resetServiceBreaker } from '../../src/admin/index.ts'
import { clearQueue, insertJob, insertWorker } from '../../src/testing/index.ts'
import { type GroupRole, useRoles } from '../support/use-roles.ts'

const roles = useRoles()
const state = async () =>
  (await roles.database.query('select openings, failures, opened_at is not null as open from service_breakers')).rows
const open = (role: GroupRole = 'queue_worker') =>
  roles.as(role).query(`select * from record_service_call('captions', 0, null, 'fault', 0, 'REFUSED', 'told in confidence')`)

afterEach(() => clearQueue(roles.database))

describe('breakers', () => {
  test('are worked by queue_worker through functions, and through nothing else', async () => {
    const worker = roles.as('queue_worker')
    await open()
    expect((await worker.query(`select admitted, wait_ms > 0 as waits from admit_service_call('captions')`)).rows).toEqual([
      { admitted: false, waits: true },
    ])
    await roles.database.query('update service_breakers set probe_at = clock_timestamp()')
    const { rows } = await worker.query(`select admitted, probe from admit_service_call('captions')`)
    expect(rows).toEqual([{ admitted: true, probe: expect.any(String) }])
    expect((await worker.query(`select renew_service_probe('captions', $1) as alive`, [rows[0].probe])).rows).toEqual([{ alive: true }])
    await worker.query(`select * from record_service_call('captions', 1, $1, 'success')`, [rows[0].probe])
    expect(await state()).toEqual([{ openings: 1, failures: 0, open: false }])
    expect(await listServiceBreakers(worker, { withErrors: true })).toMatchObject([{ state: 'closed', error: 'told in confidence' }])
    for (const statement of [
      `insert into service_breakers (service) values ('gateway')`,
      `update service_breakers set failures = 0`,
      'delete from service_breakers',
      `select reset_service_breaker('captions')`,
    ]) {
      await expect(worker.query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test.each<GroupRole>(['queue_web', 'queue_enqueue', 'queue_metrics', 'queue_backup'])('are not to be worked by %s', async (role) => {
    await open()
    for (const statement of [
      `select admit_service_call('captions')`,
      `select record_service_call('captions', 1, null, 'success')`,
      `select renew_service_probe('captions', gen_random_uuid())`,
      `select reset_service_breaker('captions')`,
      'update service_breakers set failures = 0',
    ]) {
      await expect(roles.as(role).query(statement)).rejects.toMatchObject({ code: '42501' })
    }
    expect(await state()).toEqual([{ openings: 1, failures: 1, open: true }])
  })

  test('are seen by users, without what the services said; by nobody who is not named', async () => {
    await open()
    await insertWorker(roles.database.db, { types: ['hears'], services: JSON.stringify({ hears: ['captions'] }) })
    for (const user of [roles.owner, roles.viewer]) {
      expect(await roles.forUser(user, 'select service, opened_at is not null as open, error_code from service_breakers')).toEqual([
        { service: 'captions', open: true, error_code: 'REFUSED' },
      ])
      expect(await roles.forUser(user, 'select services from job_workers')).toEqual([{ services: { hears: ['captions'] } }])
      await expect(roles.forUser(user, 'select error_msg from service_breakers')).rejects.toMatchObject({ code: '42501' })
    }
    expect(await roles.forUser(null, 'select service from service_breakers')).toEqual([])
  })

  test('are listed for a user by the function for the page', async () => {
    await open()
    const client = await roles.as('queue_web').connect()
    try {
      await client.query('begin')
      await client.query(`select set_config('app.user_id', $1, true)`, [roles.viewer])
      expect(await listServiceBreakers(client)).toMatchObject([{ service: 'captions', state: 'open', errorCode: 'REFUSED' }])
      await expect(listServiceBreakers(client, { withErrors: true })).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test.each<GroupRole>(['queue_owner', 'queue_migrator'])('are reset by %s, with the jobs that were put off', async (role) => {
    await open()
    await insertWorker(roles.database.db, { types: ['hears'], services: JSON.stringify({ hears: ['captions'] }) })
    const job = await insertJob(roles.database.db, {
      ...{ collection_node_id: roles.theirs, job_type: 'hears', snoozes: 1, run: 1, started_at: new Date() },
      scheduled_for: new Date(Date.now() + 600_000),
    })
    await roles.database.query(
      `insert into job_attempts (job_id, run, attempt, end_reason, error_code) values ($1, 1, 1, 'snoozed', 'SERVICE_DOWN')`,
      [job.id],
    )
    expect(await resetServiceBreaker(roles.as(role), 'captions')).toBe(true)
    const { rows } = await roles.database.query('select scheduled_for <= clock_timestamp() as due from job_queue')
    expect(rows).toEqual([{ due: true }])
  })
})
