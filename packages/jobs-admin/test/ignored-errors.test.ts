import { insertJob, insertNode } from '@sidelinja/jobs-core/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useAdmin } from './support.ts'

const admin = useAdmin()
const group = 'a'.repeat(32)
const about = { type: 'a_job', error_group: group }

const fail = async (node: string, count: number) => {
  for (let n = 0; n < count; n++) {
    await insertJob(admin.database.db, {
      collection_node_id: node,
      status: 'error',
      error_group: group,
      error_msg: 'no answer',
      job_type: 'a_job',
    })
  }
}
const listed = async (user = admin.user) => {
  const { groups } = (await (await admin.get(user, '/errors')).json()) as {
    groups: { jobs: number; ignored: { new_jobs: number } | null }[]
  }
  return groups.map(({ jobs, ignored }) => [jobs, ignored?.new_jobs ?? null])
}
const ignore = async (body: object = about, user = admin.user) => {
  const answer = await admin.post(user, 'ignore_errors', body)
  return [answer.status, ((await answer.json()) as { collections?: number; code?: string }).collections ?? answer.status]
}
/** What the counts leave out of what needs somebody. */
const setAside = async () => ((await (await admin.get(admin.user, '/counts')).json()) as { set_aside: number }).set_aside
const audit = async () => {
  const { rows } = await admin.database.query(
    'select action, outcome, code, job_type, collection_node_id, error_group, reason, actor from job_audit order by id',
  )
  return rows
}

test('a group is set aside where one may act, until it grows there, and is written down', async () => {
  await fail(admin.mine, 2)
  await fail(admin.seen, 5)
  await fail(admin.foreign, 1)
  expect(await listed()).toEqual([[7, null]])
  expect(await ignore({ ...about, more: 1, reason: 'known' })).toEqual([200, 1])
  expect(await listed()).toEqual([[7, 0]])
  expect(await setAside()).toBe(2)
  await fail(admin.mine, 1)
  await fail(admin.seen, 9)
  expect(await listed()).toEqual([[17, 1]])
  expect(await setAside()).toBe(3)
  await fail(admin.mine, 1)
  expect(await setAside()).toBe(0)
  expect(await listed()).toEqual([[18, null]])
  expect(await listed(admin.stranger)).toEqual([[1, null]])
  expect(await audit()).toEqual([
    {
      ...{ action: 'ignore_errors', outcome: 'applied', code: null, job_type: 'a_job', collection_node_id: admin.mine },
      ...{ error_group: group, reason: 'known', actor: admin.user.userId },
    },
  ])
})

test('it can be taken back, and set aside anew for longer', async () => {
  await fail(admin.mine, 1)
  expect(await ignore()).toEqual([200, 1])
  expect(await listed()).toEqual([[1, 0]])
  expect((await admin.post(admin.user, 'unignore_errors', about)).status).toBe(200)
  expect(await listed()).toEqual([[1, null]])
  expect(await ignore({ ...about, more: 100 })).toEqual([200, 1])
  expect(await ignore({ ...about, more: 0 })).toEqual([200, 1])
  expect(await listed()).toEqual([[1, 0]])
  await fail(admin.mine, 1)
  expect(await listed()).toEqual([[2, null]])
  expect((await audit()).map(({ action }) => action)).toEqual(['ignore_errors', 'unignore_errors', 'ignore_errors', 'ignore_errors'])
  const { entries } = (await (await admin.get(admin.user, '/audit?action=unignore_errors')).json()) as {
    entries: { error_group: string }[]
  }
  expect(entries.map(({ error_group }) => error_group)).toEqual([group])
})

test('what fails where one may not act is the same as what does not fail, and stands in the log as refused', async () => {
  await fail(admin.seen, 1)
  await fail(admin.foreign, 1)
  for (const body of [about, { ...about, type: 'another' }]) expect(await ignore(body)).toEqual([404, 404])
  expect((await admin.post(admin.user, 'unignore_errors', about)).status).toBe(404)
  expect(await listed()).toEqual([[1, null]])
  expect((await audit()).map(({ outcome, code }) => [outcome, code])).toEqual(
    Array.from({ length: 3 }, () => ['refused', 'ERROR_GROUP_NOT_FOUND']),
  )
  expect((await admin.database.query('select from job_ignored_errors')).rows).toEqual([])
})

test('it counts what has failed since: another outage of the same size is not silent', async () => {
  await fail(admin.mine, 12)
  expect(await ignore()).toEqual([200, 1])
  await admin.database.query('delete from job_queue')
  await fail(admin.mine, 10)
  expect(await listed()).toEqual([[10, 10]])
  await fail(admin.mine, 1)
  expect(await listed()).toEqual([[11, null]])
})

test('more than is looked at has grown, also where many collections share what is', async () => {
  const many = (node: string, jobs: number) =>
    admin.database.query(
      `insert into job_queue (collection_node_id, job_type, payload, status, error_group, completed_at)
       select $1, 'a_job', '{}', 'error', $2, clock_timestamp() from generate_series(1, $3)`,
      [node, group, jobs],
    )
  const others: string[] = []
  for (let n = 0; n < 98; n++) others.push((await insertNode(admin.database.db)).id)
  await admin.database.query(`insert into node_access (user_id, node_id, role) select $1, unnest($2::uuid[]), 'owner'`, [
    admin.user.userId,
    others,
  ])
  try {
    await many(admin.mine, 95)
    expect(await ignore({ ...about, more: 1_000_000 })).toEqual([200, 1])
    expect(await setAside()).toBe(95)
    await many(admin.mine, 3_000)
    // A hundred of each collection are looked at: nobody knows how many there are.
    const { groups, capped } = (await (await admin.get(admin.user, '/errors')).json()) as {
      groups: { ignored: object | null }[]
      capped: boolean
    }
    expect([groups.map(({ ignored }) => ignored), capped]).toEqual([[null], true])
  } finally {
    await admin.database.query('delete from nodes where id = any($1)', [others])
  }
})

test('who may act nowhere sees a group as set aside where all of it is', async () => {
  await fail(admin.foreign, 1)
  await admin.giveAccess(admin.user, admin.foreign, 'viewer')
  try {
    expect(await ignore(about, admin.stranger)).toEqual([200, 1])
    expect(await listed()).toEqual([[1, 0]])
    await fail(admin.seen, 1)
    expect(await listed()).toEqual([[2, null]])
  } finally {
    await admin.database.query('delete from node_access where user_id = $1 and node_id = $2', [admin.user.userId, admin.foreign])
  }
})

test('the function itself knows who may act: a collection that is named beside it is left alone', async () => {
  await fail(admin.seen, 1)
  const done = await admin.web.db.transaction().execute(async (trx) => {
    await sql`select set_config('app.user_id', ${admin.user.userId}, true)`.execute(trx)
    return sql<{ n: number }>`select ignore_errors('a_job', ${group}, 10, array[${admin.seen}::uuid, ${admin.foreign}::uuid]) as n`.execute(
      trx,
    )
  })
  expect(done.rows).toEqual([{ n: 0 }])
})
