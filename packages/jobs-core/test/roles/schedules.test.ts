import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteSchedule, listSchedules, upsertSchedule } from '../../src/admin/index.ts'
import { clearQueue } from '../../src/testing/index.ts'
import { openDatabase } from '../../src/testing/server/open-database.ts'
import { type GroupRole, useRoles } from '../support/use-roles.ts'

const roles = useRoles()
const nowhere = '01900000-0000-7000-8000-00000000dead'
const nightly = (collectionNodeId: string, pages = 1) => ({
  ...{ collectionNodeId, name: 'nightly', job: 'a_job', payload: { pages }, cron: '0 3 * * *' },
})
const ids: { mine?: string; theirs?: string } = {}

beforeEach(async () => {
  for (const whose of ['mine', 'theirs'] as const) {
    const { id } = await upsertSchedule(roles.database.pool, nightly(roles[whose]), 'all')
    await roles.as('queue_worker').query(`select tick_job_schedule('${id}', 0, array[now()], now() + interval '1 day')`)
    ids[whose] = id
  }
})
afterEach(() => clearQueue(roles.database))

describe('schedules', () => {
  test('and their ticks are seen by the users of the collection', async () => {
    for (const user of [roles.owner, roles.viewer]) {
      expect(await roles.forUser(user, 'select id from job_schedules')).toEqual([{ id: ids.mine }])
      expect(await roles.forUser(user, 'select schedule_id, outcome from job_schedule_ticks')).toEqual([
        { schedule_id: ids.mine, outcome: 'created' },
      ])
    }
    for (const table of ['job_schedules', 'job_schedule_ticks']) expect(await roles.forUser(null, `select from ${table}`)).toEqual([])
  })

  test('are made, changed and deleted by users who may act there, through the admin functions', async () => {
    const web = openDatabase(roles.login('queue_web').connectionString)
    const act = <T>(user: string | null, use: (trx: typeof web.db) => Promise<T>) =>
      web.db.transaction().execute(async (trx) => {
        await sql`select set_config('app.user_id', ${user ?? ''}, true)`.execute(trx)
        return use(trx)
      })
    const { owner, viewer, mine, theirs } = roles
    try {
      expect(await act(owner, (trx) => upsertSchedule(trx, nightly(mine, 2), 'all'))).toEqual({ id: ids.mine })
      expect(await act(viewer, (trx) => listSchedules(trx, 'all'))).toMatchObject([{ id: ids.mine, payload: { pages: 2 } }])
      for (const [user, collection] of [
        [owner, theirs],
        [owner, nowhere],
        [viewer, mine],
        [null, mine],
      ] as const) {
        await expect(act(user, (trx) => upsertSchedule(trx, nightly(collection, 3), 'all'))).rejects.toMatchObject({
          code: 'COLLECTION_NOT_FOUND',
        })
        expect(await act(user, (trx) => deleteSchedule(trx, nightly(collection), 'all'))).toBe(false)
      }
      await act(owner, (trx) => upsertSchedule(trx, { ...nightly(mine), name: 'other' }, 'all'))
      expect(await act(owner, (trx) => deleteSchedule(trx, nightly(mine), 'all'))).toBe(true)
    } finally {
      await web.db.destroy()
    }
    const { rows } = await roles.database.query('select name, payload from job_schedules order by name')
    expect(rows).toEqual([
      { name: 'nightly', payload: { pages: 1 } },
      { name: 'other', payload: { pages: 1 } },
    ])
  })

  test('of a collection that is missing are refused without roles’ help, too', async () => {
    await expect(upsertSchedule(roles.database.pool, nightly(nowhere), 'all')).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' })
  })

  test.each([
    ['cannot be moved to another collection', `update job_schedules set collection_node_id = '${nowhere}'`],
    ['have a fence that users do not touch', 'update job_schedules set revision = 0'],
    ['have ticks that users do not make', `insert into job_schedule_ticks select id, now(), id, 'created' from job_schedules`],
    ['tick by workers only', 'select tick_job_schedule(id, revision, array[now()], now()) from job_schedules'],
  ])('%s', async (_name, statement) => {
    await expect(roles.forUser(roles.owner, statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('change by a worker as a tick changes them, and no more', async () => {
    for (const statement of [
      'update job_schedules set payload = $${}$$',
      `update job_schedules set cron = '* * * * *'`,
      `update job_schedules set collection_node_id = '${roles.mine}'`,
      'update job_schedules set enabled = true',
      'delete from job_schedules',
      `insert into job_schedules (collection_node_id, name, job_type, every_seconds) values ('${roles.mine}', 'x', 'a_job', 1)`,
      `update job_schedule_ticks set outcome = 'kept'`,
    ]) {
      await expect(roles.as('queue_worker').query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test.each<GroupRole>(['queue_enqueue', 'queue_metrics'])('are not for %s', async (role) => {
    for (const statement of ['select from job_schedules', 'select from job_schedule_ticks', 'delete from job_schedules']) {
      await expect(roles.as(role).query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test.each<GroupRole>(['queue_owner', 'queue_migrator'])('of all collections are the business of %s', async (role) => {
    await upsertSchedule(roles.as(role), nightly(roles.theirs, 4), 'all')
    expect(await deleteSchedule(roles.as(role), nightly(roles.mine), 'all')).toBe(true)
    expect((await roles.database.query('select payload from job_schedules')).rows).toEqual([{ payload: { pages: 4 } }])
  })
})
