import type { WorkerEvent } from '@sidelinja/jobs-core/worker'
import { describe, expect, test } from 'vitest'
import { createLogger } from './create-logger.ts'
import { logLine } from './log-line.ts'

const job = { jobId: 'j', jobType: 'stats_parse', collectionNodeId: 'c', attempt: 2, maxAttempts: 3, run: 7 }
const schedule = { scheduleId: 's', schedule: 'nightly', scheduledType: 'stats_parse', collectionNodeId: 'c' }
const error = { code: 'LOG_MISSING', message: 'no such file', stack: 'Error: no such file\n    at x' }

// One of each event, so that a new one without a line here does not compile or is missing from the table.
const events: { [Name in WorkerEvent['name']]: Omit<Extract<WorkerEvent, { name: Name }>, 'name'> } = {
  'worker.started': { workerId: 'w', types: ['stats_parse'], maxConcurrent: 3 },
  'worker.draining': { running: 2 },
  'worker.stopped': {},
  'no.handlers': {},
  'role.unbound': { role: 'postgres', powers: ['superuser'] },
  'job.started': { ...job, waitedMs: 4.2 },
  'job.progress': { ...job, fraction: 0.25, text: 'Leser loggen' },
  'job.completed': { ...job, durationMs: 12.6 },
  'job.failed': { ...job, durationMs: 12.6, final: false, finalReason: null, retryAt: new Date('2026-01-02T03:04:05Z'), error },
  'job.snoozed': { ...job, durationMs: 1, retryAt: new Date('2026-01-02T03:04:05Z'), reason: 'service down' },
  'job.cancelled': { ...job, durationMs: 1 },
  'job.released': { ...job, started: true },
  'job.gone': { ...job, reason: 'deleted' },
  'job.log': { ...job, level: 'warn', message: 'slow', fields: { lines: 3 } },
  'lease.lost': { workerId: 'w', running: 1 },
  'loop.blocked': { blockedMs: 2_500.4, jobTypes: ['stats_parse'] },
  'handler.stuck': { jobType: 'stats_parse' },
  'heartbeat.inline': { error },
  'jobs.forgotten': { jobIds: ['j'] },
  'jobs.rescued': { jobs: 2, workers: 1 },
  'schedule.ticked': { ...schedule, jobs: [{ at: new Date('2026-01-02T03:00:00Z'), id: 'j', outcome: 'created' }], skipped: 2 },
  'schedule.failed': { ...schedule, stopped: true, error },
  'schedules.failing': { error },
  'database.lost': { during: 'claim', error },
  'database.back': { afterMs: 1_500.2 },
  'wake.mode': { mode: 'polling', reason: 'lost', error },
  'pooler.found': { sign: 'probe' },
  'connections.few': { allowed: 8, wanted: 17, writers: 4 },
  'settle.retried': { jobs: 4, error },
  'service.down': { service: 'captions', since: new Date('2026-01-02T03:04:05Z'), error, probeInMs: 30_000.4, jobTypes: ['make_captions'] },
  'service.back': { service: 'captions', afterMs: 61_000.6, jobTypes: ['make_captions'] },
}

describe('logLine', () => {
  test.each(Object.entries(events))('%s', (name, fields) => {
    expect(logLine({ name, ...fields } as WorkerEvent)).toMatchSnapshot()
  })

  test.each([
    ['permanent', 'job failed, another attempt would not help'],
    ['no_attempts_left', 'job failed, no attempts left'],
    ['snoozed_too_often', 'job failed, snoozed too often'],
  ] as const)('a failure that is final (%s) is an error and says why', (finalReason, message) => {
    const failed = { name: 'job.failed', ...job, durationMs: 12.6, final: true, finalReason, retryAt: null, error } as const
    expect(logLine(failed)).toMatchObject({ level: 'error', message })
  })

  test('a dead worker without jobs is nothing to look into', () => {
    expect(logLine({ name: 'jobs.rescued', jobs: 0, workers: 1 })).toMatchObject({
      level: 'info',
      message: 'a dead worker had no jobs',
      fields: { jobs: 0, workers: 1 },
    })
  })

  test('a failure that is tried again is a warning', () => {
    expect(logLine({ name: 'job.failed', ...events['job.failed'] } as WorkerEvent)).toMatchObject({
      level: 'warn',
      message: 'job failed, will be tried again',
    })
  })

  test('what a handler logs cannot pose as the job, leak a credential or break the line', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const line = logLine({
      name: 'job.log',
      ...job,
      level: 'info',
      message: 'calling https://bot:hunter2@host/',
      fields: {
        job_id: 'another',
        apiToken: 'hunter2',
        nested: { header: 'Authorization: Bearer hunter2hunter2' },
        big: 10n,
        circular,
        bad: new Date(Number.NaN),
        failure: new Error('password=hunter2'),
        long: 'x'.repeat(10_000),
      },
    })
    expect(line.fields.job_id).toBe('j')
    const text = JSON.stringify(line)
    expect(text).not.toContain('hunter2')
    expect(text.length).toBeLessThan(6_000)
  })
})

test('a line is one JSON object with an ISO time, a level in words and the build', () => {
  const lines: string[] = []
  const logger = createLogger('worker-light', 'info', { write: (line) => lines.push(line) })
  const { message, fields } = logLine({ name: 'job.log', ...job, level: 'info', message: 'two\nlines', fields: {} })
  logger.info(fields, message)
  logger.debug('unseen')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toContain('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    build: 'worker-light',
    event: 'job.log',
    job_type: 'stats_parse',
    msg: 'two\nlines',
  })
})
