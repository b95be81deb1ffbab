import { ConfigurationError, JobNotFoundError, JobStateError, PermanentError, QueueError, TransientError } from '@sidelinja/jobs-core'
import { describe, expect, test } from 'vitest'
import { isFault, problemForError } from './problem-for-error.ts'

const id = '4b0f2a52-6a5e-4a0e-9d3b-0d6f7f0f1a11'

describe('problemForError', () => {
  test.each([
    [new JobNotFoundError('JOB_NOT_FOUND', 'There is no job that you may see.'), 404, 'JOB_NOT_FOUND'],
    [new JobStateError('JOB_NOT_RETRYABLE', 'The job is completed.'), 409, 'JOB_NOT_RETRYABLE'],
    [new JobStateError('JOB_NOT_CANCELLABLE', 'The job is completed.'), 409, 'JOB_NOT_CANCELLABLE'],
    [new JobStateError('UNIQUE_KEY_TAKEN', 'Another job holds its key.'), 409, 'UNIQUE_KEY_TAKEN'],
    [new JobStateError('JOB_LOCKED', 'Somebody holds it.'), 409, 'JOB_LOCKED'],
    [new QueueError('SCHEDULE_NOT_FOUND', 'None.'), 404, 'SCHEDULE_NOT_FOUND'],
    [new QueueError('JOB_FORBIDDEN', 'You may see it.'), 403, 'JOB_FORBIDDEN'],
    [new QueueError('BULK_NOT_FOUND', 'None of yours.'), 404, 'BULK_NOT_FOUND'],
    [new QueueError('BULK_EXPIRED', 'It has expired.'), 409, 'BULK_EXPIRED'],
    [new PermanentError('LIST_LIMIT', 'limit must be 1 to 200, got 0.'), 400, 'LIST_LIMIT'],
    [new PermanentError('LIST_STATUS', 'status must be one of these.'), 400, 'LIST_STATUS'],
    [new PermanentError('CURSOR_INVALID', 'cursor must be that of the page before.'), 400, 'CURSOR_INVALID'],
  ])('%s is for whoever asked', (error, status, code) => {
    const problem = problemForError(error, id)
    expect(problem).toMatchObject({ status, code, detail: error.message })
    expect(problem.correlationId).toBeUndefined()
    expect(isFault(problem)).toBe(false)
  })

  test.each([
    [pgError('57014', 'canceling statement due to statement timeout'), 'QUERY_TOO_SLOW'],
    [new Error('Query read timeout'), 'QUERY_TOO_SLOW'],
    [pgError('57P01', 'terminating connection due to administrator command'), 'DATABASE_AWAY'],
    [pgError('53300', 'sorry, too many clients already'), 'DATABASE_AWAY'],
    [pgError('08006', 'connection failure'), 'DATABASE_AWAY'],
    [Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }), 'DATABASE_AWAY'],
    [new Error('timeout exceeded when trying to connect'), 'DATABASE_AWAY'],
    [new Error('Connection terminated unexpectedly'), 'DATABASE_AWAY'],
  ])('%s: come back later', (error, code) => {
    const problem = problemForError(error, id)
    expect(problem).toMatchObject({ status: 503, code, correlationId: id, retryAfterSeconds: expect.any(Number) })
    expect(isFault(problem)).toBe(true)
  })

  test.each([
    pgError('23505', 'duplicate key value violates unique constraint "job_queue_unique_key"'),
    pgError('42P01', 'relation "job_queue" does not exist'),
    new Error('select * from job_queue where /srv/app/lib/db.js'),
    new ConfigurationError('SCHEMA_MISSING', 'The database db.internal has no job_queue.'),
    new PermanentError('SCOPE_INVALID', 'A scope is …'),
    new PermanentError('LOG_MISSING', 'There is no file /var/log/caddy/access.log.'),
    new TransientError('UPSTREAM_TIMEOUT', 'https://user:pass@host'),
    { code: 'CURSOR_INVALID', kind: 'permanent', message: 'only looks like one of ours' },
    undefined,
    null,
    'thrown text',
    new Proxy({}, { get: () => fail() }),
  ])('anything else is a 500 that says nothing: %#', (error) => {
    expect(problemForError(error, id)).toEqual({
      status: 500,
      code: 'INTERNAL',
      detail: 'Something went wrong on the server. Its log has it under the correlation id.',
      correlationId: id,
    })
  })

  test('what a message repeats is masked, cut and one line', () => {
    const { detail } = problemForError(new PermanentError('LIST_TYPE', `got "password=hunter22"\n${'x'.repeat(9_000)}`), id)
    expect(detail).not.toContain('hunter22')
    expect(detail).not.toContain('\n')
    expect(detail.length).toBeLessThanOrEqual(500)
  })
})

function pgError(code: string, message: string): Error {
  return Object.assign(new Error(message), {
    code,
    detail: 'Key (unique_key)=(secret) already exists.',
    table: 'job_queue',
    file: 'nbtinsert.c',
  })
}

function fail(): never {
  throw new Error('cannot be read')
}
