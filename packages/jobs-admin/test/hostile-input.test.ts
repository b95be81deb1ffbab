import { randomUUID } from 'node:crypto'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { beforeAll, expect, test } from 'vitest'
import { strangeBodies, strangeHeaders, strangeTexts, strangeValues } from './hostile.ts'
import { useAdmin } from './support.ts'

const admin = useAdmin({ streams: { perUser: 1_000 } })
const id = randomUUID()
const bodies: Record<string, object> = {
  retry_job: { job_id: id, fresh: true, reason: 'why' },
  cancel_job: { job_id: id, reason: 'why' },
  preview_bulk: { action: 'retry', job_ids: [id], fresh: true, reason: 'why' },
  'preview_bulk?': {
    action: 'cancel',
    filter: { status: 'error', type: 'x', created_from: '2026-01-01T00:00:00Z', error_group: 'a', search: 'x' },
  },
  run_bulk: { bulk_id: id },
  abort_bulk: { bulk_id: id },
  pause_jobs: { collection_id: id, type: 'x', reason: 'why' },
  resume_jobs: { collection_id: id, type: 'x', reason: 'why' },
  summarize: { collection_id: id, node_id: id },
}
const list = ['status', 'type', 'collection_id', 'created_from', 'created_before', 'error_group', 'search', 'limit', 'offset', 'cursor']
const queries: Record<string, string[]> = {
  '': list,
  '/audit': ['job_id', 'actor', 'action', 'bulk_id', 'limit', 'before'],
  '/schedules': ['type', 'limit', 'after_collection_id', 'after_name'],
  '/events': ['ids'],
}

/** Names of the database's things, and what stacks, paths and messages of its look like. */
let inside: RegExp
beforeAll(async () => {
  const { rows } = await admin.database.query<{ name: string }>(`
    select conname as name from pg_constraint where connamespace = 'public'::regnamespace
    union select relname from pg_class where relnamespace = 'public'::regnamespace and relname like 'job\\_%' union select 'node_access'`)
  const names = rows.map(({ name }) => name).join('|')
  inside = new RegExp(
    `\\b(${names})\\b|syntax error|relation "|violates|node_modules|\\.[tj]s:\\d|\\n\\s+at |localhost|127\\.0\\.0\\.1|pg_|sql`,
    'i',
  )
})

async function expectHarmless(what: string, answer: Response): Promise<void> {
  const text = answer.headers.get('content-type') === 'text/event-stream' ? '' : await answer.text()
  await answer.body?.cancel().catch(() => {})
  const short = `${what.slice(0, 200)} → ${answer.status} ${text.slice(0, 300)}`
  expect(answer.status, short).toBeLessThan(500)
  expect([...answer.headers.keys()], short).not.toContain('set-cookie')
  if (answer.status >= 400) {
    expect([short, answer.headers.get('content-type')]).toEqual([short, 'application/problem+json'])
    expect(text.length, short).toBeLessThan(3_000)
  }
  expect(text, short).not.toMatch(inside)
}

const post = (intention: string, body: string) =>
  admin.send(admin.user, `/intentions/${intention.replace('?', '')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: 'https://admin.example.org' },
    body,
  })

test('strange values in every query, path and body are refused or find nothing, and say nothing of the inside', async () => {
  const job = await insertJob(admin.database.db, { collection_node_id: admin.mine, status: 'completed' })
  for (const [path, names] of Object.entries(queries)) {
    for (const name of names) {
      for (const value of strangeTexts) {
        const query = new URLSearchParams([[name, value.toWellFormed()]])
        await expectHarmless(`${path}?${query}`, await admin.get(admin.user, `${path}?${query}`))
      }
    }
    for (const query of ['x=1', '__proto__=1', 'limit=1&limit=x', '%00=1', 'constructor[prototype]=1', `${'a'.repeat(5_000)}=1`, '=%ff']) {
      expect((await admin.get(admin.user, `${path}?${query}`)).status).not.toBe(500)
    }
  }
  for (const text of strangeTexts.filter((one) => !one.includes('..'))) {
    const part = encodeURIComponent(text.toWellFormed())
    for (const path of [`/${part}`, `/${part}/explain`, `/${part}/result`, `/${part}/raw`, `/bulk/${part}`, `/${job.id}${part}`]) {
      const answer = await admin.get({ ...admin.user, rights: ['view', 'view_raw'] }, path)
      expect([path.slice(0, 100), answer.status]).toEqual([path.slice(0, 100), 404])
      await expectHarmless(path, answer)
    }
  }
})

test('and in every field of every intention', async () => {
  for (const [intention, body] of Object.entries(bodies)) {
    for (const [field, value] of Object.entries(body)) {
      for (const strange of strangeValues) {
        const changed = { ...body, [field]: strange }
        await expectHarmless(`${intention} ${field}`, await post(intention, JSON.stringify(changed)))
        if (typeof value !== 'object' || Array.isArray(value)) continue
        for (const inner of Object.keys(value)) {
          await expectHarmless(
            `${intention} ${field}.${inner}`,
            await post(intention, JSON.stringify({ ...body, [field]: { ...value, [inner]: strange } })),
          )
        }
      }
    }
    const extra = await post(intention, JSON.stringify({ ...body, is_admin: true }))
    expect([intention, extra.status, ((await extra.json()) as { code: string }).code]).toEqual([intention, 400, 'BODY_INVALID'])
  }
  const types = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(200, 'æ'))
  const many = await post('preview_bulk', JSON.stringify({ action: 'retry', filter: { type: types } }))
  expect([many.status, ((await many.json()) as { code: string }).code]).toEqual([400, 'BULK_INVALID'])
})

test('bodies that are none, and headers that lie, are refused', async () => {
  for (const intention of Object.keys(bodies)) {
    for (const body of strangeBodies) {
      const answer = await post(intention, body)
      expect([intention, body.slice(0, 50), answer.status]).toEqual([intention, body.slice(0, 50), 400])
      await expectHarmless(`${intention} ${body.slice(0, 50)}`, answer)
    }
  }
  for (const headers of strangeHeaders) {
    await expectHarmless(JSON.stringify(headers), await admin.get(admin.user, '/counts', headers))
    await expectHarmless(JSON.stringify(headers), await admin.post(admin.user, 'retry_job', { job_id: id }, headers))
  }
  // The host is told that its own origin may be set wrong, and of nothing else.
  expect(admin.errors.splice(0)).toMatchObject([{ code: 'ADMIN_ORIGIN_MISMATCH' }])
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect((await admin.send(admin.user, '/intentions/retry_job', { method })).status).toBe(405)
})

test('of ten megabytes no more is read than fits, and the server goes on', async () => {
  for (const headers of [{}, { 'content-length': '10' }]) {
    const read = { bytes: 0 }
    const answer = await admin.send(admin.user, '/intentions/retry_job', {
      ...{ method: 'POST', body: tenMegabytes(read), duplex: 'half' },
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    } as RequestInit)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, 'BODY_TOO_LARGE'])
    expect(read.bytes).toBeLessThan(512 * 1_024)
  }
  const told = await post('retry_job', `{"job_id":"${'x'.repeat(10_000_000)}"}`)
  expect(told.status).toBe(413)
  expect((await admin.get(admin.user, '')).status).toBe(200)
})

function tenMegabytes(read: { bytes: number }): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      read.bytes += 65_536
      if (read.bytes > 10_000_000) controller.close()
      else controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
}
