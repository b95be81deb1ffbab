import { describe, expect, test } from 'vitest'
import { PermanentError } from '../src/errors/permanent-error.ts'
import { SnoozeError } from '../src/errors/snooze-error.ts'
import { decideOutcome, type Ending } from '../src/policy/outcome.ts'
import { settleEndings } from '../src/queue/settle-endings.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)

const MAX_SNOOZES = 10_000

const failed: Ending = { kind: 'threw', error: new Error('failed') }
const permanent: Ending = { kind: 'threw', error: new PermanentError('BAD', 'bad') }
const timeout: Ending = { kind: 'timeout', error: new Error('too slow') }
const snoozed: Ending = { kind: 'threw', error: new SnoozeError(60_000, 'busy') }
const interrupted: Ending = { kind: 'interrupted' }
const unstarted: Ending = { kind: 'unstarted' }
const cancelled: Ending = { kind: 'cancelled' }

/** Claims a job that has had `attempts` − 1 attempts and ends that run. */
async function end(ending: Ending, attempts: number, { cancel = false, columns = {} }: { cancel?: boolean; columns?: object } = {}) {
  const { id } = await queue.insert({
    ...{ attempts: attempts - 1, status: attempts > 1 ? 'retry' : 'pending', error_msg: 'before', max_attempts: 3, ...columns },
  })
  const workerId = await statements.register()
  const [claimed] = await statements.claim(workerId, 1)
  if (cancel) await queue.pool.query('update job_queue set cancel_requested_at = now() where id = $1', [id])
  const ended = { id, run: claimed?.run ?? 0, outcome: decideOutcome(ending, attempts, 0) }
  const [settled] = await settleEndings(statements.connection, [ended])
  return { settled, ended, workerId, job: await queue.job(id), notes: await queue.attempts(id), dueInMs: await queue.dueInMs(id) }
}

const final = (status: string) => ({ status, completed: true, held: false })
const waits = (status: string) => ({ status, completed: false, held: true })

describe('settling a run that did not succeed', () => {
  test.each([
    // what happened, attempt of 3, cancel requested → status, attempts afterwards, its row in job_attempts, due in
    [failed, 1, false, waits('retry'), 1, 'failed', 30_000],
    [failed, 2, false, waits('retry'), 2, 'failed', 60_000],
    [failed, 3, false, final('error'), 3, 'failed', 0],
    [failed, 1, true, final('cancelled'), 1, 'cancelled', 0],
    [permanent, 1, false, final('error'), 1, 'failed', 0],
    [permanent, 1, true, final('cancelled'), 1, 'cancelled', 0],
    [timeout, 1, false, waits('retry'), 1, 'timeout', 30_000],
    [timeout, 3, false, final('error'), 3, 'timeout', 0],
    [snoozed, 1, false, waits('pending'), 0, 'snoozed', 60_000],
    [snoozed, 3, false, waits('retry'), 2, 'snoozed', 60_000],
    [snoozed, 1, true, final('cancelled'), 0, 'cancelled', 0],
    [interrupted, 1, false, waits('pending'), 0, 'interrupted', 0],
    [interrupted, 3, false, waits('retry'), 2, 'interrupted', 0],
    [interrupted, 2, true, final('cancelled'), 1, 'cancelled', 0],
    [unstarted, 1, false, waits('pending'), 0, undefined, 0],
    [unstarted, 3, false, waits('retry'), 2, undefined, 0],
    [unstarted, 1, true, final('cancelled'), 0, 'cancelled', 0],
    [cancelled, 1, false, final('cancelled'), 1, 'cancelled', 0],
    [cancelled, 3, true, final('cancelled'), 3, 'cancelled', 0],
  ] as const)('%j at attempt %i of 3, cancel requested: %s → %o', async (...row) => {
    const [ending, attempt, cancel, expected, attempts, reason, dueMs] = row
    const unique = { unique_key: 'k', unique_until: 'finished', unique_held: true }
    const { settled, job, notes, dueInMs, workerId } = await end(ending, attempt, { cancel, columns: unique })
    expect(settled).toMatchObject({ id: job.id, run: 1, status: expected.status })
    expect(job).toMatchObject({
      status: expected.status,
      attempts,
      unique_held: expected.held,
      cancel_requested_at: null,
      prefetched: false,
    })
    expect(job.completed_at !== null).toBe(expected.completed)
    expect(notes.map((note) => note.end_reason)).toEqual(reason === undefined ? [] : [reason])
    if (reason) expect(notes[0]).toMatchObject({ run: 1, attempt, worker_id: workerId, started_at: job.started_at })
    if (!expected.completed) expect(Math.abs(dueInMs - dueMs)).toBeLessThan(10_000)
  })

  test("keeps the newest error on the job, and each one's code and stack in its history", async () => {
    const { job, notes } = await end(permanent, 1)
    expect(job.error_msg).toBe('bad')
    expect(notes[0]).toMatchObject({ error_code: 'BAD', error_msg: 'bad', error_stack: expect.stringContaining('settle-endings.test') })
    expect((await end(unstarted, 1)).job.error_msg).toBe('before')
  })

  test('a job that was snoozed 10,000 times fails', async () => {
    expect((await end(snoozed, 1, { columns: { snoozes: MAX_SNOOZES - 1 } })).job).toMatchObject({
      status: 'pending',
      snoozes: MAX_SNOOZES,
    })
    const { job, notes } = await end(snoozed, 1, { columns: { snoozes: MAX_SNOOZES } })
    expect(job).toMatchObject({ status: 'error', attempts: 1, completed_at: expect.any(Date) })
    expect(notes[0]).toMatchObject({ end_reason: 'snoozed' })
  })

  test.each([
    [failed, 32_767, 'error'],
    [interrupted, 32_766, 'retry'],
    [snoozed, 32_766, 'retry'],
  ] as const)('does not overflow: %j at attempts 32,767', async (ending, attempts, status) => {
    const { job } = await end(ending, 32_767, { columns: { max_attempts: 32_767 } })
    expect(job).toMatchObject({ status, attempts })
  })

  test('writes nothing about another run, and no history', async () => {
    const { job, ended } = await end(interrupted, 2)
    const settled = await settleEndings(statements.connection, [ended, { ...ended, run: 7 }, { ...ended, id: crypto.randomUUID() }])
    expect(settled).toEqual([])
    expect(await queue.job(job.id)).toEqual(job)
    expect(await queue.attempts(job.id)).toHaveLength(1)
  })

  test.each([failed, interrupted, cancelled])('writes nothing about a job that runs anew under another number: %j', async (ending) => {
    const { ended } = await end(interrupted, 1)
    const [again] = await statements.claim(await statements.register(), 1)
    const running = await queue.job(ended.id)
    expect(running).toMatchObject({ status: 'running', run: ended.run + 1, id: again?.id })
    expect(await settleEndings(statements.connection, [{ ...ended, outcome: decideOutcome(ending, 1, 0) }])).toEqual([])
    expect(await queue.job(ended.id)).toEqual(running)
    expect(await queue.attempts(ended.id)).toHaveLength(1)
  })

  test('settles many at once, each as its own', async () => {
    for (let n = 0; n < 3; n++) await queue.insert({ priority: -n })
    const workerId = await statements.register()
    const claimed = await statements.claim(workerId, 3)
    const endings = [failed, snoozed, unstarted]
    const settled = await settleEndings(
      statements.connection,
      claimed.map(({ id, run }, n) => ({ id, run, outcome: decideOutcome(endings[n] as Ending, 1, 0) })),
    )
    expect(settled).toHaveLength(3)
    expect(await Promise.all(claimed.map(async ({ id }) => (await queue.job(id)).status))).toEqual(['retry', 'pending', 'pending'])
  })
})
