import { randomUUID } from 'node:crypto'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { describe, expect, test } from 'vitest'
import { openStream } from './open-stream.ts'
import { recording, type Sent } from './statements.ts'
import { useAdmin } from './support.ts'

describe('actions, with the limits of the default', () => {
  const admin = useAdmin({ actionsPerMinute: {} })

  test('of a thousand clicks thirty are carried out, the rest is told when to come again, and others are not held up', async () => {
    const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine, status: 'error' })
    const click = (n: number) => admin.post(admin.user, n % 2 ? 'retry_job' : 'cancel_job', { job_id: id })
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => click(n)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(970)
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await refused[0]?.json()) as object).toMatchObject({ code: 'TOO_MANY_ACTIONS' })
    const { rows } = await admin.database.query(
      `select count(*)::int as all, count(*) filter (where outcome = 'applied')::int as applied from job_audit`,
    )
    expect(rows[0]?.all).toBe(30)
    expect(rows[0]?.applied).toBeLessThanOrEqual(30)
    const own = await insertJob(admin.database.db, { collection_node_id: admin.foreign, status: 'error' })
    expect((await admin.post(admin.stranger, 'retry_job', { job_id: own.id })).status).toBe(200)
  })

  test('of bulk actions five', async () => {
    const bulkId = '00000000-0000-4000-8000-000000000001'
    const user = { ...admin.stranger }
    const answers = await Promise.all(Array.from({ length: 100 }, () => admin.post(user, 'run_bulk', { bulk_id: bulkId })))
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95)
    const form = admin.page.actions.run(admin.event(user, `/admin/jobs/bulk/${bulkId}?/run`, { bulk_id: bulkId }))
    expect(await form).toMatchObject({ status: 429, data: { jobs: { problem: { code: 'TOO_MANY_ACTIONS' } } } })
  })

  test('but going on with one that has begun is none', async () => {
    const user = { userId: randomUUID() }
    await admin.giveAccess(user, admin.mine, 'owner')
    const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine, status: 'error' })
    const previewed = await admin.post(user, 'preview_bulk', { action: 'retry', job_ids: [id] })
    const { bulk_id } = (await previewed.json()) as { bulk_id: string }
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) statuses.push((await admin.post(user, 'run_bulk', { bulk_id })).status)
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
    expect(
      (await Promise.all(Array.from({ length: 60 }, () => admin.post(user, 'run_bulk', { bulk_id })))).map(({ status }) => status),
    ).toContain(429)
  })
})

describe('forged notifications', () => {
  const sent: Sent[] = []
  const admin = useAdmin({}, { config: recording(sent) })
  const looks = () => sent.filter(({ text }) => text.includes('concat_ws') && text.includes('q.parked')).length

  test('ten thousand of them make each stream look once a second at most, and what is true is told after them', async () => {
    const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine })
    const streams = [await openStream(admin, [id]), await openStream(admin, [id])]
    for (const stream of streams) await stream.until('"listening":true')
    const started = performance.now()
    const before = looks()
    for (let n = 0; n < 100; n++) {
      await Promise.all(Array.from({ length: 100 }, () => admin.database.query(`select pg_notify('job_queue_page', $1)`, [`forged ${n}`])))
    }
    const seconds = (performance.now() - started) / 1_000
    // One that was under way, one for what came first, and one for each second.
    expect(looks() - before).toBeLessThanOrEqual(streams.length * (2 + seconds))
    await admin.database.query('update job_queue set priority = 7 where id = $1', [id])
    await admin.database.query(`select pg_notify('job_queue_page', '')`)
    for (const stream of streams) {
      await stream.until(`{"changed":["${id}"],"gone":[]}`)
      expect(stream.text()).not.toContain('forged')
      stream.stop()
    }
  })
})
