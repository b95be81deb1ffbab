import type { JsonValue } from '@sidelinja/jobs-core'
import { expect, test } from 'vitest'
import type { Result } from './job.ts'
import { statsParseView } from './view.ts'

const id = '01900000-0000-7000-8000-000000000001'
const partsOf = (result: JsonValue) => {
  const job = { id, collection_node_id: id, payload: { logPath: 'access.log' }, result }
  return statsParseView.read({ db: undefined as never, job, signal: new AbortController().signal })
}
const told: Result = {
  ...{
    lines: 10,
    counted: 4,
    skipped: { bot: 2, method: 4, status: 0 },
    malformed: [],
    listeners: 3,
    downloads: 2,
    filesRead: 1,
    files: [],
  },
  ...{ unreadable: [], missing: false, more: false },
}

test('the downloads come first, then which lines count nothing, the most first', async () => {
  const [facts, table, ...others] = await partsOf(told)
  expect(facts).toMatchObject({ kind: 'facts', rows: [{ label: { en: 'New downloads' }, value: 2 }, {}, { value: 10 }, { value: 4 }, {}] })
  expect(table).toMatchObject({
    kind: 'table',
    rows: [
      [{ en: 'not GET' }, 4],
      [{ en: 'bot' }, 2],
    ],
  })
  expect(others).toEqual([])
})

test('what is lost or left is said before', async () => {
  const parts = await partsOf({ ...told, missing: true, more: true, unreadable: ['access-1.log.gz'] })
  expect(parts.slice(0, 4).map((part) => (part.kind === 'note' ? part.tone : part.kind))).toEqual(['warn', 'warn', 'neutral', 'facts'])
})

test('a reason that a later release knows is shown as it is, and without any there is no table', async () => {
  expect((await partsOf({ ...told, skipped: { moon: 1 } }))[1]).toMatchObject({ rows: [['moon', 1]] })
  expect(await partsOf({ ...told, skipped: {} })).toHaveLength(1)
})

test('a result of another shape has nothing to draw', async () => {
  expect(await partsOf({ lines: 'many' })).toEqual([])
})
