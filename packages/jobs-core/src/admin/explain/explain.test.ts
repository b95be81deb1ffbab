import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { explain } from './explain-job.ts'
import { rules } from './reasons/index.ts'
import type { Snapshot } from './snapshot.ts'
import { elapsed, length } from './words.ts'

type Job = Snapshot['job']

const now = Date.parse('2026-11-30T12:00:00Z')
const minute = 60_000
const worker = { alive: true, draining: false, slots: 3, running: 0, heartbeatAt: now - 2_000 }
const typePause = { type: 'a_job', collection: null, by: 'Kari', reason: 'new model', since: now - minute }

function snapshot(job: Partial<Job> = {}, around: Partial<Omit<Snapshot, 'job' | 'now'>> = {}): Snapshot {
  return {
    now,
    job: {
      ...{
        id: 'id',
        type: 'a_job',
        collection: 'c',
        status: 'pending',
        attempts: 0,
        maxAttempts: 3,
        error: null,
        scheduledFor: now - minute,
      },
      ...{ startedAt: null, completedAt: null, prefetched: false, cancelRequestedAt: null, ...job },
    },
    ...{ runner: null, lastAttempt: null, pauses: [], services: [], workers: [worker], ahead: 0, ...around },
  }
}

const running: Partial<Job> = { status: 'running', attempts: 1, startedAt: now - minute }
const runner = { host: 'box', pid: 7, alive: true, silentMs: 2_000 }
const failed: Partial<Job> = { status: 'retry', attempts: 1, error: 'connection refused', scheduledFor: now + 30_000 }
const lastFailed = { end: 'failed' as const, code: 'ECONNREFUSED', at: now }

describe('why a job is not running', () => {
  test.each<[string, Snapshot, object[], string]>([
    [
      'nothing keeps it',
      snapshot(),
      [{ code: 'NEXT_POLL', facts: { dueAt: '2026-11-30T11:59:00.000Z', dueSinceMs: minute } }],
      'Nothing keeps it: it will be taken at the next poll of a worker.',
    ],
    [
      'it is scheduled',
      snapshot({ scheduledFor: now + 3 * minute }),
      [{ code: 'SCHEDULED', facts: { dueInMs: 3 * minute } }],
      'It is due in 3 min, at 2026-11-30T12:03:00.000Z.',
    ],
    [
      'it waits for its next attempt',
      snapshot(failed, { lastAttempt: lastFailed }),
      [
        {
          code: 'WAITS_FOR_RETRY',
          facts: { attempts: 1, maxAttempts: 3, errorCode: 'ECONNREFUSED', error: 'connection refused', dueInMs: 30_000 },
        },
      ],
      'Attempt 1 of 3 failed; the next one is due in 30 s, at 2026-11-30T12:00:30.000Z.',
    ],
    [
      'it was snoozed',
      snapshot({ scheduledFor: now + minute, error: 'closed' }, { lastAttempt: { end: 'snoozed', code: 'SNOOZED', at: now } }),
      [{ code: 'SNOOZED', facts: { error: 'closed' } }],
      'Its handler asked for it to come back in 60 s, at 2026-11-30T12:01:00.000Z.',
    ],
    [
      'its type is paused',
      snapshot({}, { pauses: [typePause] }),
      [
        {
          code: 'PAUSED',
          facts: { type: 'a_job', collectionNodeId: null, by: 'Kari', reason: 'new model', since: '2026-11-30T11:59:00.000Z' },
        },
      ],
      'The type a_job is paused since 2026-11-30T11:59:00.000Z, by Kari: new model',
    ],
    [
      'its type in its collection is paused, by nobody in particular',
      snapshot({}, { pauses: [{ ...typePause, collection: 'c', by: null, reason: null }] }),
      [{ code: 'PAUSED', facts: { by: null } }],
      'The type a_job in its collection is paused since 2026-11-30T11:59:00.000Z.',
    ],
    [
      'its collection is paused',
      snapshot({}, { pauses: [{ ...typePause, type: null, collection: 'c', reason: null }] }),
      [{ code: 'PAUSED' }],
      'Its collection is paused since 2026-11-30T11:59:00.000Z, by Kari.',
    ],
    [
      'no worker has its type',
      snapshot({}, { workers: [] }),
      [{ code: 'NO_WORKER', facts: { type: 'a_job' } }],
      'No worker has its type, a_job.',
    ],
    [
      'the only worker is stopping',
      snapshot({}, { workers: [{ ...worker, draining: true }] }),
      [{ code: 'WORKERS_DRAINING', facts: { draining: 1 } }],
      'The only 1 worker with its type, a_job, is stopping.',
    ],
    [
      'the leases have run out',
      snapshot(
        {},
        {
          workers: [
            { ...worker, alive: false },
            { ...worker, alive: false, heartbeatAt: now - minute },
          ],
        },
      ),
      [{ code: 'WORKERS_LOST', facts: { workers: 2, lastHeartbeatAt: '2026-11-30T11:59:58.000Z' } }],
      'The lease of the only 2 workers with its type, a_job, has run out; the last heartbeat came 2 s ago.',
    ],
    [
      'every slot is taken',
      snapshot(
        {},
        {
          workers: [
            { ...worker, running: 3 },
            { ...worker, running: 4 },
            { ...worker, draining: true },
          ],
        },
      ),
      [{ code: 'WORKERS_BUSY', facts: { workers: 2, slots: 6 } }],
      'Every slot of the 2 workers with its type is taken: 6 slots.',
    ],
    [
      'one job stands before it',
      snapshot({}, { ahead: 1 }),
      [{ code: 'JOBS_AHEAD', facts: { jobs: 1, more: false } }],
      '1 due job of the same workers stands before it.',
    ],
    [
      'many jobs stand before it',
      snapshot({}, { ahead: 1_001 }),
      [{ code: 'JOBS_AHEAD', facts: { jobs: 1_000, more: true } }],
      'More than 1,000 due jobs of the same workers stand before it.',
    ],
    [
      'it runs',
      snapshot(running, { runner }),
      [{ code: 'RUNNING', facts: { host: 'box', pid: 7, since: '2026-11-30T11:59:00.000Z', attempt: 1 } }],
      'It has been running on box, process 7, for 60 s.',
    ],
    [
      'it is claimed ahead',
      snapshot({ ...running, prefetched: true }, { runner }),
      [{ code: 'CLAIMED_AHEAD' }],
      'A worker on box, process 7, has claimed it and starts it in a moment.',
    ],
    [
      'its worker fell silent',
      snapshot(running, { runner: { ...runner, alive: false, silentMs: 40_000 } }),
      [{ code: 'RUNNER_LOST', facts: { silentMs: 40_000 } }],
      'It ran on box, process 7, and that worker has been silent for 40 s: its jobs are taken back when another worker looks.',
    ],
    [
      'its worker is gone',
      snapshot(running),
      [{ code: 'RUNNER_LOST', facts: { host: null, silentMs: null } }],
      'It ran somewhere and that worker has no row any more: its jobs are taken back when another worker looks.',
    ],
    [
      'its cancel was requested',
      snapshot({ ...running, cancelRequestedAt: now - 1_000 }, { runner }),
      [{ code: 'RUNNING' }, { code: 'CANCEL_REQUESTED', facts: { since: '2026-11-30T11:59:59.000Z' } }],
      'It has been running on box, process 7, for 60 s. Its cancel was requested 1 s ago; it ends as soon as its handler obeys.',
    ],
    [
      'it is completed',
      snapshot({ status: 'completed', completedAt: now }),
      [{ code: 'COMPLETED' }],
      'It was completed at 2026-11-30T12:00:00.000Z.',
    ],
    [
      'it is cancelled',
      snapshot({ status: 'cancelled', completedAt: now }),
      [{ code: 'CANCELLED' }],
      'It was cancelled at 2026-11-30T12:00:00.000Z; a retry makes it due again.',
    ],
    [
      'it has failed',
      snapshot({ status: 'error', completedAt: now, attempts: 3, error: 'no such file' }),
      [{ code: 'FAILED', facts: { attempts: 3, maxAttempts: 3, error: 'no such file' } }],
      'It failed for good at 2026-11-30T12:00:00.000Z, on attempt 3 of 3: no such file',
    ],
    [
      'several at once',
      snapshot(
        { scheduledFor: now + minute },
        { pauses: [typePause, { ...typePause, type: null, collection: 'c' }], workers: [], ahead: 5 },
      ),
      [{ code: 'PAUSED' }, { code: 'PAUSED' }, { code: 'SCHEDULED' }, { code: 'NO_WORKER' }],
      'The type a_job is paused since 2026-11-30T11:59:00.000Z, by Kari: new model Its collection is paused since 2026-11-30T11:59:00.000Z, by Kari: new model It is due in 60 s, at 2026-11-30T12:01:00.000Z. No worker has its type, a_job.',
    ],
    [
      'a failure that was retried by somebody is only scheduled',
      snapshot({ scheduledFor: now + minute }, { lastAttempt: { ...lastFailed, end: 'retried_by_admin' } }),
      [{ code: 'SCHEDULED' }],
      'It is due in 60 s, at 2026-11-30T12:01:00.000Z.',
    ],
  ])('%s', (_what, given, reasons, sentence) => {
    const explanation = explain(given)
    expect(explanation).toMatchObject({ id: 'id', status: given.job.status, reasons, sentence })
    expect(explanation.reasons).toHaveLength(reasons.length)
  })

  test('every rule is asked, and every code is documented', () => {
    const folder = new URL('reasons/', import.meta.url)
    const files = readdirSync(folder).filter((file) => !['index.ts', 'next-poll.ts'].includes(file))
    expect(rules).toHaveLength(files.length)
    const declared = readFileSync(new URL('reason.ts', import.meta.url), 'utf8').match(/(?<=\| ')[A-Z_]+(?=')/g)
    const operations = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')
    const page = operations.split(/^## /m).find((section) => section.startsWith('Why a job is not running')) ?? ''
    expect(declared?.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([])
    expect(page.match(/(?<=^\| `)[A-Z_]+(?=` \|)/gm)?.toSorted()).toEqual(declared?.toSorted())
  })

  test.each([
    [-5, '0 s'],
    [1, '1 s'],
    [119_000, '119 s'],
    [2 * minute, '2 min'],
    [119 * minute, '119 min'],
    [120 * minute, '2 h'],
    [47 * 60 * minute, '47 h'],
    [48 * 60 * minute, '2 days'],
  ])('%i ms are %s', (ms, words) => expect(length(ms)).toBe(words))

  test.each([
    [-5, 'less than a second'],
    [999, 'less than a second'],
    [1_999, '1 s'],
    [2 * minute - 1, '119 s'],
  ])('%i ms that have passed are %s', (ms, words) => expect(elapsed(ms)).toBe(words))
})
