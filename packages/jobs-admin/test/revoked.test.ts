import { insertJob } from '@sidelinja/jobs-core/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { openStream } from './open-stream.ts'
import { useAdmin } from './support.ts'

const host = { signedIn: true, allowed: true }
const admin = useAdmin({
  identify: ({ locals }) => (host.signedIn ? locals.user : null),
  authorize: () => host.allowed,
})
afterEach(() => {
  vi.useRealTimers()
  Object.assign(host, { signedIn: true, allowed: true })
})

const losses: [string, object][] = [
  ['is signed out', { signedIn: false }],
  ['loses the right', { allowed: false }],
]
const tell = () => admin.database.query(`select pg_notify('job_queue_page', '')`)

test('who loses access to a collection while looking hears that its jobs are gone, and nothing of them from then on', async () => {
  const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine })
  const { id: seen } = await insertJob(admin.database.db, { collection_node_id: admin.seen })
  const before = await admin.get(admin.user, '/collections')
  const asBefore = { 'if-none-match': before.headers.get('etag') ?? '' }
  expect(await before.json()).toMatchObject({
    collections: [
      { title: 'Mine', may_act: true },
      { title: 'Seen', may_act: false },
    ],
    total: 2,
  })
  expect((await admin.get(admin.user, '/collections', asBefore)).status).toBe(304)
  const stream = await openStream(admin, [id, seen])
  await stream.until('"listening":true')
  await admin.database.query('delete from node_access where user_id = $1 and node_id = $2', [admin.user.userId, admin.mine])
  try {
    const collections = await admin.get(admin.user, '/collections', asBefore)
    expect([collections.status, await collections.json()]).toEqual([
      200,
      { collections: [{ id: admin.seen, title: 'Seen', may_act: false }], total: 1 },
    ])
    const { jobs } = (await (await admin.get(admin.user, '')).json()) as { jobs: { id: string }[] }
    expect(jobs.map((job) => job.id)).toEqual([seen])
    const rows = (await (await admin.get(admin.user, `/rows?ids=${id},${seen}`)).json()) as { jobs: { id: string }[] }
    expect(rows.jobs.map((job) => job.id)).toEqual([seen])
    expect((await admin.get(admin.user, `/${id}`)).status).toBe(404)
    expect((await admin.post(admin.user, 'cancel_job', { job_id: id })).status).toBe(404)
    await tell()
    await stream.until(`{"changed":[],"gone":["${id}"]}`)
    const heard = stream.text().length
    await admin.database.query('update job_queue set priority = priority + 1')
    await tell()
    await stream.until(`{"changed":["${seen}"],"gone":[]}`)
    expect(stream.text().slice(heard)).not.toContain(id)
  } finally {
    stream.stop()
    await admin.giveAccess(admin.user, admin.mine, 'owner')
  }
})

test.each(losses)('who %s hears nothing of the next change: the stream ends instead', async (_name, lost) => {
  const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine })
  const stream = await openStream(admin, [id])
  await stream.until('"listening":true')
  Object.assign(host, lost)
  await admin.database.query('update job_queue set priority = 7')
  await tell()
  const text = await stream.end()
  expect(text).toContain('"reason":"not_allowed"')
  expect(text).not.toContain(id)
})

test.each(losses)('who %s while nothing happens is cut off within 30 seconds', async (_name, lost) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stream = await openStream(admin, [])
  await stream.until('"listening":')
  Object.assign(host, lost)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await stream.end()).toContain('"reason":"not_allowed"')
})
