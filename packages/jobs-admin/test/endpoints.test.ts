import { randomUUID } from 'node:crypto'
import { insertJob, insertWorker } from '@sidelinja/jobs-core/testing'
import { describe, expect, test } from 'vitest'
import { type TestUser, useAdmin } from './support.ts'

const admin = useAdmin()
const job = (columns: object = {}) => insertJob(admin.database.db, { collection_node_id: admin.mine, ...columns })
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by what they hold
const read = async (path: string, user: TestUser = admin.user): Promise<any> => (await admin.get(user, path)).json()

describe('the list', () => {
  test('has the jobs of the user’s collections without payloads, with what the page needs beside', async () => {
    const { id } = await job({ payload: JSON.stringify({ secret: 'x' }), status: 'error', error_msg: 'Bearer abcdef123456 refused' })
    await job({ collection_node_id: admin.foreign })
    const { jobs, next_cursor } = await read('')
    expect(next_cursor).toBeNull()
    expect(jobs).toMatchObject([{ id, status: 'error', collection_title: 'Mine', may_act: true, error_msg: 'Bearer *** refused' }])
    expect(jobs[0]).not.toHaveProperty('payload')
    expect((await read('', admin.stranger)).jobs).toHaveLength(1)
    expect((await read('', { userId: randomUUID() })).jobs).toEqual([])
  })

  test('filters and pages as the query says, and refuses what it does not know', async () => {
    for (let n = 0; n < 5; n++) await job({ job_type: n % 2 ? 'a_job' : 'b_job', status: n % 2 ? 'error' : 'pending' })
    expect((await read('?status=error&type=a_job')).jobs).toHaveLength(2)
    expect((await read('?status=error,pending&type=')).jobs).toHaveLength(5)
    const first = await read('?limit=2')
    const second = await read(`?limit=2&cursor=${first.next_cursor}`)
    expect(new Set([...first.jobs, ...second.jobs].map(({ id }) => id)).size).toBe(4)
    expect((await read('?limit=2&offset=4')).jobs).toHaveLength(1)
    for (const query of [
      '?limit=0',
      '?limit=x',
      '?offset=10001',
      '?cursor=x',
      '?status=done',
      '?statsu=error',
      '?created_from=today',
      '?collection_id=x',
    ]) {
      const answer = await admin.get(admin.user, query)
      expect([query, answer.status]).toEqual([query, 400])
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    }
  })

  test('answers 304 while nothing changes', async () => {
    const { id } = await job()
    const etag = (await admin.get(admin.user, '')).headers.get('etag') as string
    expect((await admin.get(admin.user, '', { 'if-none-match': etag })).status).toBe(304)
    await admin.database.query(`update job_queue set progress = 0.5 where id = $1`, [id])
    expect((await admin.get(admin.user, '', { 'if-none-match': etag })).status).toBe(200)
  })

  test('is SvelteKit’s for who wants a page, and nobody’s without a session', async () => {
    expect((await admin.send(admin.user, '/admin/jobs', { headers: { accept: 'text/html' } })).status).toBe(299)
    expect((await admin.get(null, '')).status).toBe(401)
    expect((await admin.get({ ...admin.user, rights: [] }, '')).status).toBe(403)
  })
})

describe('one job', () => {
  test('is shown with its past and secrets masked; unmasked only with a right of its own, and noted', async () => {
    const { id } = await job({ payload: JSON.stringify({ deep: [{ apiKey: 'sk-abcdefgh12345678' }] }), status: 'error' })
    const shown = await read(`/${id}`)
    expect(shown).toMatchObject({
      job: { id, payload: { deep: [{ apiKey: '***' }] }, may_view_raw: false },
      attempts: [{ end_reason: 'failed', run: 3 }, { run: 2 }, { run: 1 }],
      audit: [],
    })
    expect((await admin.get(admin.user, `/${id}/raw`)).status).toBe(403)
    const auditor = { ...admin.user, rights: ['view', 'view_raw'] }
    expect(await read(`/${id}/raw`, auditor)).toMatchObject({ payload: { deep: [{ apiKey: 'sk-abcdefgh12345678' }] } })
    expect((await read(`/${id}`)).audit).toMatchObject([{ action: 'read_raw', actor: admin.user.userId }])
    expect(await read(`/${id}/explain`)).toMatchObject({ status: 'error', reasons: [{ code: 'FAILED' }] })
  })

  test('of somebody else looks like none, whatever is asked', async () => {
    const foreign = await job({ collection_node_id: admin.foreign })
    for (const path of ['', '/explain', '/result']) {
      const bodies = []
      for (const id of [foreign.id, randomUUID(), 'not-a-uuid']) {
        const answer = await admin.get(admin.user, `/${id}${path}`)
        expect(answer.status).toBe(404)
        bodies.push((await answer.text()).replaceAll(id, '?'))
      }
      expect(new Set(bodies).size).toBe(1)
    }
  })
})

describe('an action', () => {
  test('retries and cancels: 200, 202, 404, 409 and 403, each of them noted', async () => {
    const failed = await job({ status: 'error' })
    const worker = await insertWorker(admin.database.db)
    const running = await job({ status: 'running', worker_id: worker.id })
    const seen = await job({ status: 'error', collection_node_id: admin.seen })
    const foreign = await job({ status: 'error', collection_node_id: admin.foreign })
    const answers: [string, string, number, object][] = [
      ['retry_job', failed.id, 200, { status: 'pending' }],
      ['retry_job', failed.id, 409, { code: 'JOB_NOT_RETRYABLE' }],
      ['cancel_job', failed.id, 200, { status: 'cancelled' }],
      ['cancel_job', running.id, 202, { status: 'requested' }],
      ['retry_job', seen.id, 403, { code: 'JOB_FORBIDDEN' }],
      ['cancel_job', seen.id, 403, { code: 'JOB_FORBIDDEN' }],
      ['retry_job', foreign.id, 404, { code: 'JOB_NOT_FOUND' }],
      ['retry_job', randomUUID(), 404, { code: 'JOB_NOT_FOUND' }],
    ]
    for (const [intention, job_id, status, body] of answers) {
      const answer = await admin.post(admin.user, intention, { job_id, reason: 'because' })
      expect([intention, answer.status, await answer.json()]).toMatchObject([intention, status, body])
    }
    const { rows } = await admin.database.query(`select action, outcome, actor, reason from job_audit order by id`)
    expect(rows).toHaveLength(answers.length)
    expect(rows.every(({ actor, reason }) => actor === admin.user.userId && reason === 'because')).toBe(true)
    const audit = await read('/audit?limit=3')
    expect(audit.entries).toHaveLength(3)
    expect(audit.next_before).toBe(audit.entries[2].id)
    expect((await read('/audit', admin.stranger)).entries).toEqual([])
    expect((await read('?mine=true')).jobs.map(({ id }: { id: string }) => id).toSorted()).toEqual([failed.id, running.id].toSorted())
    expect((await read('?mine=true', admin.stranger)).jobs).toEqual([])
    expect((await admin.get(admin.user, '?mine=yes')).status).toBe(400)
  })

  test('on many: what was previewed, and a receipt', async () => {
    for (let n = 0; n < 130; n++) await job({ status: 'error' })
    await job({ status: 'error', collection_node_id: admin.seen })
    await job({ status: 'error', collection_node_id: admin.foreign })
    const previewed = await admin.post(admin.user, 'preview_bulk', { action: 'retry', filter: { status: 'error' }, reason: 'outage over' })
    const { bulk_id, jobs } = (await previewed.json()) as { bulk_id: string; jobs: number }
    expect([previewed.status, jobs]).toEqual([201, 130])
    expect((await admin.post(admin.stranger, 'run_bulk', { bulk_id })).status).toBe(404)
    const done = await admin.post(admin.user, 'run_bulk', { bulk_id })
    expect([done.status, ((await done.json()) as { outcomes: object }).outcomes]).toEqual([200, { applied: 130 }])
    expect(await read(`/bulk/${bulk_id}`)).toMatchObject({ done: 130, finished_at: expect.any(String) })
    expect((await admin.get(admin.stranger, `/bulk/${bulk_id}`)).status).toBe(404)
    expect((await admin.post(admin.user, 'abort_bulk', { bulk_id })).status).toBe(404)
    expect((await read(`/audit?bulk_id=${bulk_id}&limit=200`)).entries).toHaveLength(130)
  })

  test('pauses and resumes in a collection where the user may act, and nowhere else', async () => {
    const pause = (collection_id: string) => admin.post(admin.user, 'pause_jobs', { collection_id, type: 'a_job', reason: 'new model' })
    expect((await pause(admin.mine)).status).toBe(200)
    for (const id of [admin.seen, admin.foreign, randomUUID()]) expect((await pause(id)).status).toBe(404)
    expect((await read('/pauses')).pauses).toMatchObject([
      { type: 'a_job', collection_title: 'Mine', paused_by: admin.user.userId, may_act: true },
    ])
    expect(await (await admin.post(admin.user, 'resume_jobs', { collection_id: admin.mine, type: 'a_job' })).json()).toEqual({
      resumed: true,
    })
    expect(await (await admin.post(admin.user, 'resume_jobs', { collection_id: admin.mine, type: 'a_job' })).json()).toEqual({
      resumed: false,
    })
    const { rows } = await admin.database.query(`select outcome, count(*)::int as n from job_audit group by 1 order by 1`)
    expect(rows).toEqual([
      { outcome: 'applied', n: 2 },
      { outcome: 'refused', n: 3 },
      { outcome: 'unchanged', n: 1 },
    ])
  })

  test('orders a summary, once while one waits', async () => {
    const node_id = randomUUID()
    const order = (collection_id: string) => admin.post(admin.user, 'summarize', { collection_id, node_id })
    const first = await order(admin.mine)
    expect([first.status, await first.json()]).toMatchObject([202, { outcome: 'created' }])
    expect(await (await order(admin.mine)).json()).toMatchObject({ outcome: 'kept' })
    expect((await order(admin.seen)).status).toBe(404)
    const { rows } = await admin.database.query('select job_type, payload, priority from job_queue')
    expect(rows).toEqual([{ job_type: 'summarize_communication', payload: { nodeId: node_id }, priority: 5 }])
  })
})

describe('the overview', () => {
  test('counts by status and type, of the user’s collections only', async () => {
    await job({ status: 'error' })
    await job({ status: 'pending', job_type: 'b_job' })
    await job({ status: 'completed', collection_node_id: admin.seen })
    await job({ status: 'completed', collection_node_id: admin.foreign, job_type: 'foreign_job' })
    const counts = await read('/counts')
    expect(counts.statuses).toMatchObject({ error: { jobs: 1 }, pending: { jobs: 1 }, completed: { jobs: 1, capped: false } })
    expect(counts.types.map(({ type }: { type: string }) => type).toSorted()).toEqual(['b_job', 'test_job'])
    expect(JSON.stringify(counts)).not.toContain('foreign')
  })

  test('tells what ended in each minute or hour, and how long it took, of the user’s collections only', async () => {
    for (const [collection, type] of [
      [admin.mine, 'a_job'],
      [admin.seen, 'a_job'],
      [admin.foreign, 'foreign_job'],
    ]) {
      await admin.database.query(
        `insert into job_activity (collection_node_id, span, starts_at, job_type, completed, failed, retried)
         select $1, span, date_trunc(span, now() - interval '90 seconds', 'UTC'), $2, 3, 2, 1 from unnest(array['minute', 'hour']) span`,
        [collection, type],
      )
      await admin.database.query(`insert into job_durations values ($1, now(), $2, 'run', 20, 5)`, [collection, type])
    }
    const minutes = await read('/activity')
    expect(minutes).toMatchObject({ span: 'minute', types: [{ type: 'a_job' }] })
    expect(minutes.durations).toEqual([{ type: 'a_job', wait: null, run: { jobs: 10, p50_ms: 1218, p95_ms: expect.any(Number) } }])
    expect(minutes.starts_at).toHaveLength(30)
    expect(minutes.types[0].completed.reduce((sum: number, jobs: number) => sum + jobs, 0)).toBe(6)
    expect(await read('/activity?span=hour')).toMatchObject({ span: 'hour', types: [{ type: 'a_job' }] })
    expect(await read('/activity', { userId: randomUUID() })).toMatchObject({ types: [], durations: [] })
    for (const query of ['?span=day', '?since=1h']) expect((await admin.get(admin.user, `/activity${query}`)).status).toBe(400)
  })

  test('groups errors, lists workers and schedules', async () => {
    for (let n = 0; n < 3; n++) await job({ status: 'error', error_group: 'abc', error_msg: `no ${n}` })
    await insertWorker(admin.database.db, { host: 'secret-host' })
    expect((await read('/errors')).groups).toMatchObject([{ error_group: 'abc', jobs: 3 }])
    expect((await read('?error_group=abc')).jobs).toHaveLength(3)
    const workers = await read('/workers')
    expect(workers.workers).toMatchObject([{ state: 'alive' }])
    expect(JSON.stringify(workers)).not.toContain('secret-host')
    expect((await read('/workers', { userId: randomUUID() })).workers).toEqual([])
    expect(await read('/schedules')).toEqual({ schedules: [] })
  })
})
