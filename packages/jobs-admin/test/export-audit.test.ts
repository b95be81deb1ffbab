import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useAdmin } from './support.ts'

const host = { allowed: true }
const admin = useAdmin({ authorize: () => host.allowed })

const write = (node: string, count: number, reason = 'because') =>
  admin.database.query(
    `insert into job_audit (actor, action, outcome, job_type, collection_node_id, reason)
     select '=cmd()', 'retry', 'applied', 'a_job', $1, $3 from generate_series(1, $2::int)`,
    [node, count, reason],
  )
const lines = async (answer: Response) => (await answer.text()).split('\n').filter((line) => line !== '')

test('exports what the list shows, of one’s own collections, as text that no spreadsheet calculates', async () => {
  await write(admin.mine, 1, '=HYPERLINK("x")')
  await write(admin.seen, 1)
  await write(admin.foreign, 1)
  const answer = await admin.get(admin.user, '/audit/export')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="jobs-audit-\d{4}-\d\d-\d\d\.csv"$/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const [head, first, second, ...more] = await lines(answer)
  expect(head).toContain('"id";"at";"actor";"action";"outcome"')
  expect(first).toContain(admin.seen)
  expect(second).toContain(`"'=cmd()";"retry";"applied"`)
  expect(second).toContain(`"'=HYPERLINK(""x"")"`)
  expect(more).toEqual([])
  // Spreadsheets of other languages expect other separators.
  for (const [header, value] of [
    ['accept-language', 'en-GB'],
    ['cookie', 'sidelinja-jobs=lang%3Den'],
  ] as const) {
    const [english] = await lines(await admin.get(admin.stranger, '/audit/export', { [header]: value }))
    expect(english).toContain('"id","at","actor"')
  }
})

test('as lines of JSON, by the filter of the list, page after page, and in parts', async () => {
  await write(admin.mine, 450)
  await write(admin.seen, 450)
  const all = (await lines(await admin.get(admin.user, '/audit/export?format=jsonl&action=retry'))).map((line) => JSON.parse(line))
  expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([900, 900])
  const { entries } = (await (await admin.get(admin.user, '/audit?limit=200')).json()) as { entries: unknown[] }
  expect(all.slice(0, 200)).toEqual(entries)
  const rest = await lines(await admin.get(admin.user, `/audit/export?format=jsonl&before=${all[99].id}`))
  expect(rest.map((line) => JSON.parse(line))).toEqual(all.slice(100))
  expect(await lines(await admin.get(admin.user, '/audit/export?format=jsonl&action=cancel'))).toEqual([])
})

test('holds ten thousand entries at most', async () => {
  await write(admin.mine, 10_050)
  expect(await lines(await admin.get(admin.user, '/audit/export?format=jsonl'))).toHaveLength(10_000)
})

test('breaks off, and does not look whole, where the right is taken away meanwhile', async () => {
  await write(admin.foreign, 900)
  const answer = await admin.get(admin.stranger, '/audit/export?format=jsonl')
  host.allowed = false
  try {
    await expect(answer.text()).rejects.toThrow()
  } finally {
    host.allowed = true
  }
  expect(admin.errors.splice(0)).toMatchObject([{ code: 'EXPORT_BROKEN_OFF' }])
})

test.each([
  ['the only one', 1],
  ['one of two', 2],
])('breaks off where the access to a collection is withdrawn meanwhile: %s', async (_name, count) => {
  const reader = { userId: randomUUID() }
  const [withdrawn, kept] = [admin.mine, admin.seen]
  for (const node of [withdrawn, kept].slice(0, count)) await admin.giveAccess(reader, node, 'viewer')
  await write(withdrawn, 900)
  await write(kept, 900)
  const answer = await admin.get(reader, '/audit/export?format=jsonl')
  await admin.database.query('delete from node_access where user_id = $1 and node_id = $2', [reader.userId, withdrawn])
  await expect(answer.text()).rejects.toThrow()
  expect(admin.errors.splice(0)).toMatchObject([{ code: 'EXPORT_BROKEN_OFF' }])
})

test('refuses what it does not know, and more than five a minute', async () => {
  const user = { userId: randomUUID() }
  for (const query of ['format=xls', 'nonsense=1', 'action=odd', 'limit=5']) {
    expect([query, (await admin.get(user, `/audit/export?${query}`)).status]).toEqual([query, 400])
  }
  expect((await admin.get(user, '/audit/export')).status).toBe(200)
  expect((await admin.get(user, '/audit/export')).status).toBe(429)
})
