import { insertJob, insertWorker } from '@sidelinja/jobs-core/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useAdmin } from './support.ts'
import { withoutFilters } from './tenants/without-filters.ts'

/** Whose statements name all collections, as if access had gone a moment after it was read. */
const admin = useAdmin({}, { config: withoutFilters })

test('why a job waits says which service is down, and not what that answered to whomever', async () => {
  await insertWorker(admin.database.db, { types: ['speaks'], services: JSON.stringify({ speaks: ['speech'] }) })
  await admin.database.query(
    `insert into service_breakers (service, openings, opened_at, probe_at, failed_at, error_msg) values ('speech', 1, now(), now(), now(), 'said of others')`,
  )
  await admin.database.query('grant select on nodes to queue_web')
  const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine, job_type: 'speaks' })
  const text = await (await admin.get(admin.user, `/${id}/explain`)).text()
  expect(text).toContain('SERVICE_DOWN')
  expect(text).not.toContain('said of others')
})

test('what the database refuses is a refusal like another, and noted', async () => {
  await admin.database.query('grant select on nodes to queue_web')
  const body = { collection_id: admin.foreign, type: 'a_job' }
  expect((await admin.post(admin.user, 'pause_jobs', body)).status).toBe(404)
  const node_id = admin.mine
  expect((await admin.post(admin.user, 'summarize', { collection_id: admin.foreign, node_id })).status).toBe(404)
  const { rows } = await admin.database.query('select action, outcome, code, collection_node_id from job_audit order by id')
  expect(rows).toEqual([
    { action: 'pause', outcome: 'refused', code: 'PAUSE_OUT_OF_SCOPE', collection_node_id: null },
    { action: 'summarize', outcome: 'refused', code: 'COLLECTION_NOT_FOUND', collection_node_id: null },
  ])
})

test('nobody writes into the audit of a collection that is not theirs', async () => {
  await admin.database.query(`insert into job_pauses (job_type, collection_node_id) values ('a_job', $1)`, [admin.foreign])
  await admin.web.db.transaction().execute(async (trx) => {
    await sql`select set_config('app.user_id', ${admin.user.userId}, true)`.execute(trx)
    await sql`select resume_jobs('a_job', ${admin.foreign}::uuid, null, 'x')`.execute(trx)
    await sql`select resume_jobs('a_job', ${admin.seen}::uuid, null, 'x')`.execute(trx)
  })
  const { rows } = await admin.database.query('select outcome, code, collection_node_id from job_audit order by id')
  const refused = { outcome: 'refused', code: 'PAUSE_OUT_OF_SCOPE' }
  expect(rows).toEqual([
    { ...refused, collection_node_id: null },
    { ...refused, collection_node_id: admin.seen },
  ])
  expect((await admin.database.query('select from job_pauses')).rowCount).toBe(1)
})
