import { describe, expect, test } from 'vitest'
import type { WorkerEvent } from '../events.ts'
import { createTally } from './tally.ts'

const job = { jobId: 'j', jobType: 'a_job', collectionNodeId: 'c', attempt: 1, maxAttempts: 3, run: 1 }
const failed = { name: 'job.failed', durationMs: 5, error: { code: null, message: 'no', stack: null }, ...job } as const
const events: WorkerEvent[] = [
  { name: 'job.started', waitedMs: 3, ...job },
  { name: 'job.started', waitedMs: 40_000, ...job, attempt: 2 },
  { name: 'job.completed', durationMs: 1_500, ...job },
  { name: 'job.completed', durationMs: 1_600, ...job },
  { ...failed, final: false, finalReason: null, retryAt: new Date() },
  { ...failed, final: true, finalReason: 'permanent', retryAt: null },
  { name: 'job.snoozed', durationMs: 1, retryAt: new Date(), reason: 'x', ...job },
  { name: 'worker.stopped' },
]
const counted = {
  collectionNodeId: 'c',
  jobType: 'a_job',
  completed: 2,
  failed: 1,
  retried: 1,
  wait: new Map([[3, 1]]),
  run: new Map([[21, 2]]),
}

describe('a tally', () => {
  test('counts ends by collection and type, first waits, and the runs that completed', () => {
    const tally = createTally()
    for (const event of events) tally.count(event)
    tally.count({ name: 'job.completed', durationMs: 0, ...job, collectionNodeId: 'other' })
    tally.failed([{ collectionNodeId: 'c', jobType: 'another_job' }])
    expect(tally.take()).toEqual([
      counted,
      { ...counted, collectionNodeId: 'other', completed: 1, failed: 0, retried: 0, wait: new Map(), run: new Map([[0, 1]]) },
      { ...counted, jobType: 'another_job', completed: 0, failed: 1, retried: 0, wait: new Map(), run: new Map() },
    ])
    expect(tally.take()).toEqual([])
  })

  test('takes back what could not be said, beside what has come since', () => {
    const tally = createTally()
    for (const event of events) tally.count(event)
    const taken = tally.take()
    tally.count({ name: 'job.completed', durationMs: 1_500, ...job })
    tally.add(taken)
    expect(tally.take()).toEqual([{ ...counted, completed: 3, run: new Map([[21, 3]]) }])
  })

  test('holds a bounded number of pairs', () => {
    const tally = createTally()
    for (let index = 0; index < 20_010; index++)
      tally.count({ name: 'job.completed', durationMs: 0, ...job, collectionNodeId: String(index) })
    expect(tally.take()).toHaveLength(20_000)
  })
})
