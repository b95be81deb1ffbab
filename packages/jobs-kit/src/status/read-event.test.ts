import type { WorkerEvent } from '@sidelinja/jobs-core/worker'
import { describe, expect, test } from 'vitest'
import { readEvent } from './read-event.ts'

const job = { jobId: 'j', jobType: 'whisper_transcribe', collectionNodeId: 'c', attempt: 2, maxAttempts: 3, run: 7 }
const error = { code: 'SECRET_CODE', message: 'the secret text', stack: 'the secret stack' }
const failed = { name: 'job.failed', ...job, durationMs: 1, error } as const
const at = new Date('2026-01-02T03:04:05Z')
const read = (event: WorkerEvent) => readEvent(event, at)

describe('an event as a status', () => {
  test.each<[WorkerEvent, string, number, number, string]>([
    [{ name: 'job.started', ...job, waitedMs: 0 }, 'running', 2, 0, 'Kjører'],
    [{ name: 'job.progress', ...job, fraction: 0.25, text: 'Transkriberer' }, 'running', 2, 0.25, 'Transkriberer'],
    [{ name: 'job.progress', ...job, fraction: 0.5, text: null }, 'running', 2, 0.5, 'Kjører'],
    [{ name: 'job.progress', ...job, fraction: 0.5, text: ' to\nlinjer ' }, 'running', 2, 0.5, 'to linjer'],
    [{ name: 'job.completed', ...job, durationMs: 1 }, 'completed', 2, 1, 'Ferdig'],
    [{ ...failed, final: true, finalReason: 'permanent', retryAt: null }, 'error', 2, 0, 'Feilet'],
    [{ ...failed, final: false, finalReason: null, retryAt: at }, 'retry', 2, 0, 'Prøver igjen'],
    [{ name: 'job.snoozed', ...job, durationMs: 1, retryAt: at, reason: 'the secret reason' }, 'retry', 1, 0, 'Venter'],
    [{ name: 'job.snoozed', ...job, attempt: 1, durationMs: 1, retryAt: at, reason: 'x' }, 'pending', 0, 0, 'Venter'],
    [{ name: 'job.released', ...job, attempt: 1, started: true }, 'pending', 0, 0, 'Venter'],
    [{ name: 'job.cancelled', ...job, durationMs: 1 }, 'cancelled', 2, 0, 'Avbrutt'],
    [{ name: 'job.gone', ...job, reason: 'deleted' }, 'cancelled', 2, 0, 'Slettet'],
  ])('%o', (event, status, attempt, progress, message) => {
    const change = read(event)
    expect(change).toEqual({
      kind: 'update',
      update: {
        ...{ jobId: 'j', collectionNodeId: 'c', jobType: 'whisper_transcribe', status, attempt, maxAttempts: 3, progress, message },
        updatedAt: at,
      },
      ended: status !== 'running',
    })
    expect(JSON.stringify(change)).not.toMatch(/secret/i)
  })

  test('a long text is cut', () => {
    const change = read({ name: 'job.progress', ...job, fraction: 0, text: 'x'.repeat(1_000) })
    expect(change).toMatchObject({ update: { message: 'x'.repeat(200) } })
  })
})

describe('an event that is no status', () => {
  test.each<[WorkerEvent, object | undefined]>([
    [
      { name: 'job.gone', ...job, reason: 'lost' },
      { kind: 'forget', jobId: 'j' },
    ],
    [{ name: 'lease.lost', workerId: 'w', running: 1 }, { kind: 'forget_running' }],
    [{ name: 'job.released', ...job, started: false }, undefined],
    [{ name: 'job.log', ...job, level: 'info', message: 'x', fields: {} }, undefined],
    [{ name: 'worker.stopped' }, undefined],
  ])('%o', (event, change) => {
    expect(read(event)).toEqual(change)
  })
})
