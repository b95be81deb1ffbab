import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { readFinishedLogs } from '../../src/storage/index.ts'
import { checkpointAt, next, setUpStatistics } from './support.ts'

const databases: TestDatabase[] = []
let t: Awaited<ReturnType<typeof setUpStatistics>>
beforeEach(async () => {
  t = await setUpStatistics(inject('server'))
  databases.push(t.database)
})
afterAll(() => Promise.all(databases.map((database) => database.drop())))

const head = (n: number) => Buffer.alloc(32, n)
const finishedOf = async (collection: string, path = 'access.log') =>
  (await readFinishedLogs(t.database.db, collection, path)).map((one) => one[0]).sort()

test('what is read to its end is remembered, by collection and log', async () => {
  await t.record(t.mine, { finished: [head(1), head(2)], present: [head(1), head(2)] })
  await t.record(t.mine, {
    path: 'b.log',
    checkpoint: { from: undefined, to: { ...checkpointAt(1), path: 'b.log' } },
    finished: [head(3)],
    present: [head(3)],
  })
  expect(await finishedOf(t.mine)).toEqual([1, 2])
  expect(await finishedOf(t.mine, 'b.log')).toEqual([3])
  expect(await finishedOf(t.other)).toEqual([])
})

test('what is gone is forgotten, when somebody has looked', async () => {
  await t.record(t.mine, { finished: [head(1), head(2)], present: [head(1), head(2)] })
  await t.record(t.other, { finished: [head(1)], present: [head(1)] })
  await t.record(t.mine, { checkpoint: next(100, 200) })
  expect(await finishedOf(t.mine)).toEqual([1, 2])
  await t.record(t.mine, { checkpoint: next(200, 300), finished: [head(2), head(4)], present: [head(2), head(4)] })
  expect(await finishedOf(t.mine)).toEqual([2, 4])
  await t.record(t.mine, { checkpoint: next(300, 400), present: [] })
  expect(await finishedOf(t.mine)).toEqual([])
  expect(await finishedOf(t.other)).toEqual([1])
})

test('nothing is remembered when another run was first', async () => {
  await t.record(t.mine)
  await expect(t.record(t.mine, { finished: [head(1)], present: [head(1)] })).rejects.toMatchObject({ code: 'CHECKPOINT_MOVED' })
  expect(await finishedOf(t.mine)).toEqual([])
})

test('a run that found no line leaves no checkpoint, and moves none', async () => {
  const nothing = { days: [], listeners: [] }
  await t.record(t.mine, { ...nothing, checkpoint: { from: undefined, to: undefined } })
  await t.record(t.mine, { ...nothing, checkpoint: { from: undefined, to: undefined } })
  expect(await t.rowsOf(t.mine)).toEqual([[], [], [], [], [], []])
})
