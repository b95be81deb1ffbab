import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Job } from '../../admin/get-job.ts'
import { JOB_STATUSES } from '../../database/tables.ts'
import { historyOf } from './job-history.ts'
import { completeJob, type JobColumns } from './job-row.ts'
import { refuseImpossible } from './refuse-impossible.ts'

const refusal = (columns: JobColumns) => {
  try {
    refuseImpossible(completeJob(columns))
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ kind: 'configuration', code: 'TEST_JOB_IMPOSSIBLE' })
    return (error as Error).message
  }
}
const [earlier, later] = [new Date('2026-01-01'), new Date('2026-01-02')]

describe('a row that is filled up', () => {
  test.each(JOB_STATUSES)('%s alone is possible', (status) => {
    expect(refusal({ status })).toBeUndefined()
  })

  test.each([
    [{}, { status: 'pending', attempts: 0, run: 0, worker_id: null, started_at: null, completed_at: null, payload: '{}' }],
    [{ status: 'running' }, { attempts: 1, run: 1, worker_id: expect.any(String), started_at: undefined, completed_at: null }],
    [
      { status: 'running', run: 5 },
      { attempts: 3, run: 5 },
    ],
    [
      { status: 'completed', attempts: 2 },
      { attempts: 2, run: 2, error_msg: null, completed_at: undefined },
    ],
    [{ status: 'error' }, { attempts: 3, max_attempts: 3, run: 3, error_msg: 'It failed, as the test wants it.' }],
    [
      { status: 'error', max_attempts: 5 },
      { attempts: 5, run: 5 },
    ],
    [
      { status: 'error', attempts: 1 },
      { attempts: 1, max_attempts: 3 },
    ],
    [{ status: 'retry' }, { attempts: 1, max_attempts: 3, run: 1, completed_at: null }],
    [
      { status: 'retry', attempts: 9 },
      { attempts: 9, max_attempts: 10 },
    ],
    [{ status: 'cancelled' }, { attempts: 0, run: 0, error_msg: 'Cancelled on request.', completed_at: undefined }],
    [{ unique_key: 'k' }, { unique_until: 'claimed', unique_held: true }],
    [
      { unique_key: 'k', status: 'running' },
      { unique_until: 'claimed', unique_held: false },
    ],
    [{ unique_key: 'k', unique_until: 'finished', status: 'running' }, { unique_held: true }],
    [{ unique_key: 'k', status: 'completed' }, { unique_held: false }],
    [
      { payload: { a: 1 }, result: null },
      { payload: '{"a":1}', result: null },
    ],
    [
      { payload: '"text"', status: 'completed', result: [1] },
      { payload: '"text"', result: '[1]' },
    ],
    [
      { status: 'completed', completed_at: earlier },
      { created_at: earlier, started_at: earlier, scheduled_for: earlier },
    ],
    [
      { status: 'running', started_at: earlier },
      { created_at: earlier, scheduled_for: earlier },
    ],
    [
      { status: 'retry', started_at: earlier },
      { created_at: earlier, scheduled_for: undefined },
    ],
  ] satisfies [JobColumns, object][])('%o', (columns, expected) => {
    expect(completeJob(columns)).toMatchObject(expected)
    expect(refusal(columns)).toBeUndefined()
  })

  test('any status with any number of runs and attempts that fit it is possible', () => {
    const counts = fc.record({
      status: fc.constantFrom(...JOB_STATUSES),
      run: fc.integer({ min: 1, max: 40 }),
      max_attempts: fc.integer({ min: 2, max: 20 }),
    })
    fc.assert(
      fc.property(counts, (columns) => {
        expect(refusal(columns)).toBeUndefined()
      }),
    )
  })
})

describe('what no job can be is refused', () => {
  test.each<[JobColumns, RegExp]>([
    [{ status: 'pending', attempts: 1 }, /is retry, not pending/],
    [{ status: 'running', attempts: 0 }, /running has had an attempt/],
    [{ status: 'retry', attempts: 0 }, /retry has had an attempt/],
    [{ status: 'retry', attempts: 3, max_attempts: 3 }, /After 3 of 3 attempts a job is error/],
    [{ status: 'error', attempts: 4, max_attempts: 3 }, /4 attempts are more than the 3 allowed/],
    [{ status: 'error', error_msg: null }, /says why in error_msg/],
    [{ status: 'completed', error_msg: 'x' }, /has no error_msg/],
    [{ status: 'error', result: {} }, /Only a completed job has a result; this one is error/],
    [{ status: 'completed', completed_at: null }, /completed has a completed_at/],
    [{ status: 'pending', completed_at: later }, /pending has no completed_at/],
    [{ status: 'completed', started_at: later, completed_at: earlier }, /completed_at is before started_at/],
    [{ status: 'running', created_at: later, started_at: earlier }, /started_at is before created_at/],
    [{ status: 'cancelled', created_at: later, completed_at: earlier }, /completed_at is before created_at/],
    [{ status: 'running', worker_id: null }, /has a worker_id/],
    [{ status: 'running', run: 1, attempts: 2 }, /run 1 is less than attempts 2/],
    [{ status: 'pending', worker_id: '01900000-0000-7000-8000-000000000001' }, /never claimed \(run 0\) has no worker_id/],
    [{ status: 'pending', started_at: earlier }, /never claimed \(run 0\) has no started_at/],
    [{ status: 'running', started_at: null }, /was claimed \(run 1\) has a started_at/],
    [{ progress: 0.5 }, /no progress/],
    [{ cancel_requested_at: later }, /waits to be cancelled; this one is pending/],
    [{ prefetched: true, status: 'completed' }, /can be prefetched; this one is completed/],
    [{ status: 'error', unique_key: 'k', unique_held: true }, /has let go of its unique_key/],
    [{ status: 'running', unique_key: 'k', unique_held: true }, /held until claimed/],
    [{ unique_until: 'finished' }, /belong together/],
    [{ unique_held: true }, /belong together/],
    [{ max_attempts: 0 }, /max_attempts 1 or more/],
  ])('%o', (columns, message) => {
    expect(refusal(columns)).toMatch(message)
  })

  test('with every rule it breaks', () => {
    const message = refusal({ status: 'completed', attempts: 0, error_msg: 'x' })
    expect(message).toMatch(/^insertJob: no job can be so\. .*has had an attempt.*has no error_msg/)
  })
})

describe('the history of a job', () => {
  const ends = (columns: object) =>
    historyOf({ id: 'i', created_at: earlier, error_msg: null, ...columns } as Job).map((row) => [row.run, row.attempt, row.end_reason])

  test('has a row for each failed run, none for the one that runs or succeeded', () => {
    expect(ends({ status: 'error', run: 2, attempts: 2 })).toEqual([
      [1, 1, 'failed'],
      [2, 2, 'failed'],
    ])
    expect(ends({ status: 'completed', run: 2, attempts: 2 })).toEqual([[1, 1, 'failed']])
    expect(ends({ status: 'running', run: 1, attempts: 1 })).toEqual([])
    expect(ends({ status: 'pending', run: 0, attempts: 0 })).toEqual([])
  })

  test('has uncharged runs first', () => {
    expect(ends({ status: 'retry', run: 3, attempts: 1 })).toEqual([
      [1, 1, 'interrupted'],
      [2, 1, 'interrupted'],
      [3, 1, 'failed'],
    ])
  })
})
