import { expect, test } from 'vitest'
import { bulkState, changedBy, queryOfBulk } from './bulk.ts'
import type { BulkBody } from './wire/more-bodies.ts'

const at = '2026-01-01T10:00:00Z'
const bulk = (change: Partial<BulkBody>): BulkBody => ({
  ...{ bulk_id: 'b', action: 'retry', filter: {}, reason: null, fresh: false, jobs: 1_000, more: false, created_at: at, expires_at: at },
  ...{ done: 0, outcomes: {}, started_at: null, finished_at: null, aborted_at: null },
  ...change,
})

test.each([
  ['asked', {}, false],
  ['doing', {}, true],
  ['doing', { started_at: at, done: 600 }, true],
  ['paused', { started_at: at, done: 600 }, false],
  ['done', { started_at: at, finished_at: at, outcomes: { applied: 999, requested: 1 } }, false],
  ['partly', { started_at: at, finished_at: at, outcomes: { applied: 600, JOB_NOT_FOUND: 400 } }, false],
  ['partly', { started_at: at, finished_at: at, outcomes: { JOB_NOT_FOUND: 1_000 } }, true],
  ['stopped', { started_at: at, aborted_at: at, outcomes: { applied: 600 } }, false],
  ['dropped', { aborted_at: at }, false],
] as const)('is %s: %j, carried on %s', (state, change, isGoing) => {
  expect(bulkState(bulk(change), isGoing)).toBe(state)
})

test('what was changed is what was applied or asked for', () => {
  expect(changedBy({ outcomes: { applied: 2, requested: 3, JOB_LOCKED: 4 } })).toBe(5)
})

test.each([
  [{ status: ['error'], type: ['a', 'b'], error_group: 'abc' }, 'status=error&type=a,b&error_group=abc'],
  [{ status: 'error', collection_id: 'c', acted_by: 'me' }, 'status=error&collection_id=c&mine=true'],
  [{ created_from: at, search: 'x y' }, 'created_from=2026-01-01T10%3A00%3A00Z&search=x+y'],
  [{}, ''],
  [null, ''],
])('the filter %j is the query %s', (filter, query) => {
  expect(queryOfBulk({ filter })).toBe(query)
})
