import { randomUUID } from 'node:crypto'
import { insertJob, insertWorker } from '@sidelinja/jobs-core/testing'
import { beforeEach, expect, test } from 'vitest'
import { type TestUser, useAdmin } from '../support.ts'

const admin = useAdmin()
/** U1 has Mine and Seen; U2 has Foreign. Every text of U2's begins with OTHERS_ or OTHERS and a blank; `others` alone is a name of ours. */
const u1 = admin.user
const u2 = admin.stranger
const nobodys: TestUser = { userId: randomUUID() }
let foreignId: string

beforeEach(async () => {
  const worker = await insertWorker(admin.database.db, { types: ['common'] })
  for (const status of ['pending', 'running', 'completed', 'error', 'retry', 'cancelled'] as const) {
    const runs = status === 'running' ? { worker_id: worker.id } : {}
    for (let n = 0; n < 3; n++) {
      await insertJob(admin.database.db, { ...runs, collection_node_id: admin.mine, job_type: 'own_type', status, payload: { own: n } })
      const { id } = await insertJob(admin.database.db, {
        ...{ ...runs, collection_node_id: admin.foreign, job_type: 'OTHERS_type', status, payload: { text: 'OTHERS payload' } },
        ...(status === 'error' && { error_msg: 'OTHERS error' }),
        ...(status === 'completed' && { result: { text: 'OTHERS result' } }),
      })
      foreignId = id
    }
  }
  await admin.database.query(`insert into job_pauses (job_type, collection_node_id, reason) values ('OTHERS_type', $1, 'OTHERS pause')`, [
    admin.foreign,
  ])
  await admin.database.query(
    `insert into job_schedules (collection_node_id, name, job_type, every_seconds) values ($1, 'OTHERS nightly', 'others_type', 60)`,
    [admin.foreign],
  )
  await admin.post(u2, 'retry_job', { job_id: foreignId, reason: 'OTHERS reason' })
})

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by what they hold
const read = async (user: TestUser, path: string): Promise<any> => {
  const answer = await admin.get(user, path)
  const text = await answer.text()
  if (user !== u2) expect([path, text]).toEqual([path, expect.not.stringMatching(new RegExp(`OTHERS[_ ]|Foreign|${admin.foreign}`, 'i'))])
  return JSON.parse(text)
}

test('U2 has all that is looked for here', async () => {
  expect((await read(u2, '')).jobs).toHaveLength(18)
  expect(JSON.stringify(await read(u2, '/counts'))).toContain('OTHERS_type')
  expect((await read(u2, '/audit')).entries).toMatchObject([{ reason: 'OTHERS reason' }])
  for (const path of ['/errors', '/pauses', '/schedules']) expect(JSON.stringify(await read(u2, path))).toContain('OTHERS')
})

test('U1 sees nothing of C2: lists, pages, filters, counts, types, totals, audit', async () => {
  expect((await read(u1, '')).jobs).toHaveLength(18)
  const first = await read(u1, '?limit=10')
  const second = await read(u1, `?limit=10&cursor=${first.next_cursor}`)
  expect([first.jobs.length, second.jobs.length, second.next_cursor]).toEqual([10, 8, null])
  expect((await read(u1, '?offset=10')).jobs).toHaveLength(8)
  for (const status of ['pending', 'running', 'completed', 'error', 'retry', 'cancelled']) {
    expect((await read(u1, `?status=${status}`)).jobs).toHaveLength(3)
  }
  const counts = await read(u1, '/counts')
  expect(counts.types).toHaveLength(1)
  expect(Object.values(counts.statuses)).toEqual(Array(6).fill({ jobs: 3, capped: false }))
  expect((await read(u1, '/errors')).groups).toMatchObject([{ jobs: 3 }])
  expect((await read(u1, '/workers')).workers).toMatchObject([{ running: 3 }])
  for (const [path, part] of [
    ['/pauses', 'pauses'],
    ['/schedules', 'schedules'],
    ['/audit', 'entries'],
  ] as const)
    expect((await read(u1, path))[part]).toEqual([])
})

test('a filter for C2 is one for an unknown id', async () => {
  for (const path of ['?collection_id=', '?collection_id=%&status=error', '?collection_id=%&type=own_type']) {
    const ask = async (id: string) => await (await admin.get(u1, path.includes('%') ? path.replace('%', id) : path + id)).text()
    expect(await ask(admin.foreign)).toBe(await ask(randomUUID()))
  }
  const others = await read(u1, '?type=OTHERS_type'.replace('OTHERS', 'OTHER%53'))
  expect(others).toEqual({ jobs: [], next_cursor: null })
})

test('a cursor of U2’s page opens nothing', async () => {
  const { next_cursor } = await read(u2, '?limit=3')
  expect((await read(u1, `?limit=200&cursor=${next_cursor}`)).jobs.every((job: { job_type: string }) => job.job_type === 'own_type')).toBe(
    true,
  )
})

test('whoever has no collection has nothing, and never all', async () => {
  expect((await read(nobodys, '')).jobs).toEqual([])
  expect(await read(nobodys, '/counts')).toMatchObject({ statuses: {}, types: [] })
  for (const [path, part] of [
    ['/errors', 'groups'],
    ['/audit', 'entries'],
    ['/workers', 'workers'],
    ['/pauses', 'pauses'],
    ['/schedules', 'schedules'],
  ] as const) {
    expect((await read(nobodys, path))[part]).toEqual([])
  }
})

test('nobody is shown anything without a session', async () => {
  for (const path of ['', '/counts', '/audit', '/errors', '/events', `/${foreignId}`])
    expect((await admin.get(null, path)).status).toBe(401)
})

test('the event stream says nothing of C2, not even that it changes', async () => {
  const stop = new AbortController()
  const { body } = await admin.send(u1, `/admin/jobs/events?ids=${foreignId}`, { signal: stop.signal })
  const { id } = await insertJob(admin.database.db, { collection_node_id: admin.mine })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk)
    // Once it listens: a change there, and one here, which is told.
    if (text.includes('"listening":true') && !text.includes('event: new')) {
      await admin.database.query('update job_queue set priority = priority + 1 where id = $1', [foreignId])
      await insertJob(admin.database.db, { collection_node_id: admin.mine })
      await admin.database.query(`select pg_notify('job_queue_page', '')`)
    }
    if (text.includes('event: new')) break
  }
  stop.abort()
  expect(text).not.toContain(foreignId)
  expect(text).not.toContain('event: jobs')
  expect(id).not.toBe(foreignId)
})
