import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@sidelinja/jobs-core'
import { runResultView } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { promptEvalView } from '../src/view.ts'
import { payload, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
const jobId = randomUUID()
let collectionNodeId: string
let result: JsonValue
beforeAll(async () => {
  t = await setup(inject('server'))
  collectionNodeId = await t.collection()
  result = (await t.evaluate({ ...payload, maxCostUsd: 0.045 }, { job: { id: jobId, collectionNodeId } })).result
})
afterAll(() => t.drop())

const show = (options: object = {}) => runResultView(promptEvalView, { db: t.db, collectionNodeId, jobId, payload, result, ...options })

test('the models stand side by side, then the tests of each', async () => {
  const [note, models, facts, ...tables] = await show()
  expect(note).toMatchObject({
    kind: 'note',
    tone: 'warn',
    text: { en: 'The job has cost what it was allowed to. 1 of 6 cells are left.' },
  })
  expect(models).toMatchObject({
    kind: 'table',
    rows: [
      ['liten', 2, 3, 67, 0.67, expect.any(Number), expect.any(Number), expect.any(Number), 3, 0, 0, 0],
      ['stor', 1, 2, 50, 0.5, expect.any(Number), expect.any(Number), expect.any(Number), 2, 0, 0, 1],
    ],
  })
  expect(facts).toMatchObject({ rows: [{ value: 5 }] })
  const one = (title: string, more: unknown[]) => [title, ...more, expect.any(String), expect.any(Number), 1]
  expect(tables).toMatchObject([
    {
      ...{ kind: 'table', title: 'liten' },
      rows: [
        one('1 tid og sted', [{ en: 'passed' }, 1, null]),
        one('2 held seg til nynorsk', [{ en: 'passed' }, 1, null]),
        one('3 bare JSON', [{ nn: 'ikkje bestått' }, 0, 'is-json']),
      ],
    },
    { title: 'stor', rows: [one('1 tid og sted', [{}, 1, null]), one('2 held seg til nynorsk', [{}, 0, 'regex; not-contains'])] },
  ])
  for (const part of [models, ...tables]) {
    if (part?.kind !== 'table') throw new Error('a table')
    for (const row of part.rows) expect(row).toHaveLength(part.columns.length)
  }
})

test('rows of another collection are not shown', async () => {
  expect(await show({ collectionNodeId: await t.collection() })).toHaveLength(3)
})

test('a result of another shape has nothing to draw', async () => {
  expect(await show({ result: { models: 7 } })).toEqual([])
  expect(await show({ result: null })).toEqual([])
})
