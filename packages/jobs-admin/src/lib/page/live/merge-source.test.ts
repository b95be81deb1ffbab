import { describe, expect, test } from 'vitest'
import { job, later } from '../test-rows.ts'
import { mergeRows } from './merge-rows.ts'
import { merged } from './merge-source.ts'

const row = (id: string, at: number, status: 'pending' | 'running' | 'completed' = 'pending') => job({ id, created_at: later(at), status })
const shown = { jobs: [row('c', 3), row('b', 2), row('a', 1)], next_cursor: null }

describe('a new answer for the list', () => {
  test('patches rows in place, and counts what is newer', () => {
    const answer = { jobs: [row('d', 4), row('a', 1, 'running'), row('c', 3), row('b', 2)], next_cursor: null }
    const { body, fresh, left } = merged('jobs', shown, answer) as { body: typeof shown; fresh: number; left: string[] }
    expect(body.jobs.map(({ id, status }) => `${id} ${status}`)).toEqual(['c pending', 'b pending', 'a running'])
    expect([fresh, left]).toEqual([1, []])
  })

  test('keeps the same objects where nothing has changed', () => {
    const { rows } = mergeRows(shown.jobs, structuredClone(shown.jobs), { keyOf: ({ id }) => id })
    expect(rows.every((found, index) => found === shown.jobs[index])).toBe(true)
  })

  test('says which rows fit no more, and not of those that were only pushed out', () => {
    expect(merged('jobs', shown, { jobs: [row('c', 3), row('a', 1)], next_cursor: null }).left).toEqual(['b'])
    expect(merged('jobs', shown, { jobs: [row('d', 4), row('b', 2)], next_cursor: 'more' }).left).toEqual(['c'])
  })

  test('that is empty takes everything away', () => {
    expect(merged('jobs', shown, { jobs: [], next_cursor: null })).toEqual({
      body: { jobs: [], next_cursor: null },
      fresh: 0,
      left: [],
      missing: [],
    })
  })

  test('says which rows it does not have at all, pushed out or not', () => {
    expect(merged('jobs', shown, { jobs: [row('d', 4), row('b', 2)], next_cursor: 'more' }).missing).toEqual(['c', 'a'])
  })

  test('does not count older rows that move up as new', () => {
    expect(merged('jobs', shown, { jobs: [row('b', 2), row('a', 1), row('0', 0)], next_cursor: null }).fresh).toBe(0)
  })

  test('fills a list that was empty at once: it does not say that nothing is there beside a button that says how much', () => {
    const answer = { jobs: [row('a', 1)], next_cursor: null }
    for (const next_cursor of [null, 'looked so far']) {
      expect(merged('jobs', { jobs: [], next_cursor }, answer)).toEqual({ body: answer, fresh: 0, left: [], missing: [] })
    }
  })
})

describe('other answers', () => {
  test('short lists keep their order, lose what is gone and gain at the end', () => {
    const workers = (...ids: string[]) => ({ workers: ids.map((id) => ({ id })) })
    expect(merged('workers', workers('b', 'a'), workers('a', 'x', 'b')).body).toEqual(workers('b', 'a', 'x'))
    expect(merged('workers', workers('b', 'a'), workers('a')).body).toEqual(workers('a'))
  })

  test('the log stays as it is, and says how much is new', () => {
    const log = (...ids: string[]) => ({ entries: ids.map((id) => ({ id })), next_before: null })
    expect(merged('audit', log('2', '1'), log('3', '2', '1'))).toEqual({ body: log('2', '1'), fresh: 1 })
    expect(merged('audit', log('2', '1'), log('3', '2'))).toEqual({ body: log('2', '1'), fresh: 1 })
    expect(merged('audit', log(), log('1'))).toEqual({ body: log('1'), fresh: 0 })
  })

  test('of the log nothing is left that may not be seen any more', () => {
    const log = (...ids: string[]) => ({ entries: ids.map((id) => ({ id })), next_before: null })
    expect(merged('audit', log('3', '2', '1'), log('3', '1'))).toEqual({ body: log('3', '1'), fresh: 0 })
    expect(merged('audit', log('2', '1'), log())).toEqual({ body: log(), fresh: 0 })
  })

  test('a bulk action’s progress never goes back', () => {
    const bulk = (done: number, bulk_id = 'a') => ({ bulk_id, done })
    expect(merged('bulk', bulk(214), bulk(100)).body).toEqual(bulk(214))
    expect(merged('bulk', bulk(214), bulk(300)).body).toEqual(bulk(300))
    expect(merged('bulk', bulk(214), bulk(0, 'b')).body).toEqual(bulk(0, 'b'))
  })

  test('everything else is replaced', () => {
    expect(merged('counts', { a: 1 }, { a: 2 }).body).toEqual({ a: 2 })
    expect(merged('jobs', null, shown).body).toBe(shown)
  })
})
