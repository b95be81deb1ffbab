import { describe, expect, test } from 'vitest'
import { findRuns } from '../src/queue/find-runs.ts'
import { findStrayRuns } from '../src/queue/find-stray-runs.ts'
import { saveProgress } from '../src/queue/save-progress.ts'
import { saveStep } from '../src/queue/save-step.ts'
import type { ClaimedJob, CompletedRun } from '../src/queue/settle-and-claim.ts'
import { holdTransaction } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const { register, claim, trip } = statements

const done = (job: ClaimedJob, more: Partial<CompletedRun> = {}): CompletedRun => ({
  ...{ id: job.id, run: job.run, resultJson: null, mayHaveSteps: false, ...more },
})
/** A worker with one running job. */
async function running(columns: Parameters<typeof queue.insert>[0] = {}): Promise<{ worker: string; job: ClaimedJob }> {
  const { id } = await queue.insert(columns)
  const worker = await register()
  const [job] = await claim(worker, 1)
  if (job?.id !== id) throw new Error('the job was not claimed')
  return { worker, job }
}

describe('settling a success', () => {
  test('completes the job and forgets what only mattered before', async () => {
    const unique = { unique_key: 'k', unique_until: 'finished', unique_held: true } as const
    const { worker, job } = await running({ ...unique, error_msg: 'before', status: 'retry', attempts: 1 })
    await queue.pool.query('update job_queue set cancel_requested_at = now() where id = $1', [job.id])
    const { settled } = await trip({ workerId: worker, completed: [done(job, { resultJson: '{"n":1}' })] })
    expect(settled).toEqual(new Set([job.id]))
    expect(await queue.job(job.id)).toMatchObject({
      ...{ status: 'completed', result: { n: 1 }, error_msg: null, unique_held: false, cancel_requested_at: null, worker_id: worker },
      ...{ completed_at: expect.any(Date), attempts: 2, run: 1 },
    })
  })

  test('removes the steps of the jobs it settled, and of no others', async () => {
    const { worker, job } = await running()
    const other = await running()
    for (const { id, run } of [job, other.job]) {
      expect(await saveStep(statements.connection, { id, run, name: 's', resultJson: '1' })).toBe(true)
    }
    const wrong = done(other.job, { run: other.job.run + 1, mayHaveSteps: true })
    await trip({ workerId: worker, completed: [done(job, { mayHaveSteps: true }), wrong] })
    const { rows } = await queue.pool.query('select job_id from job_steps')
    expect(rows).toEqual([{ job_id: other.job.id }])
  })

  test.each([
    ['another run', (job: ClaimedJob) => ({ ...job, run: job.run - 1 }), ''],
    ['a job that waits', (job: ClaimedJob) => job, `update job_queue set status = 'retry' where id = $1`],
    ['a job that failed', (job: ClaimedJob) => job, `update job_queue set status = 'error' where id = $1`],
    ['a job that is gone', (job: ClaimedJob) => job, 'delete from job_queue where id = $1'],
  ])('writes nothing about %s', async (_name, change, sql) => {
    const { worker, job } = await running()
    if (sql) await queue.pool.query(sql, [job.id])
    const before = await queue.db.selectFrom('job_queue').selectAll().execute()
    const { settled } = await trip({ workerId: worker, completed: [done(change(job), { resultJson: '"wrong"' })] })
    expect(settled.size).toBe(0)
    expect(await queue.db.selectFrom('job_queue').selectAll().execute()).toEqual(before)
  })

  test("twice finds nothing the second time, and the job's fate tells that the first had committed", async () => {
    const { worker, job } = await running()
    const completed = [done(job)]
    expect((await trip({ workerId: worker, completed })).settled.size).toBe(1)
    const first = await queue.job(job.id)
    expect((await trip({ workerId: worker, completed })).settled.size).toBe(0)
    expect(await queue.job(job.id)).toEqual(first)
    expect((await findRuns(statements.connection, worker, completed)).get(job.id)).toBe('settled')
  })

  test('of a worker that was declared dead still counts, as long as nobody took the job', async () => {
    const { worker, job } = await running()
    await queue.pool.query('update job_workers set dead_at = now() where id = $1', [worker])
    expect(await trip({ workerId: worker, completed: [done(job)] })).toMatchObject({ alive: false, settled: new Set([job.id]) })
  })

  test('waits for a lock no longer than a second, and then writes nothing', async () => {
    const [one, two] = [await running(), await running()]
    const open = await holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [two.job.id])
    await expect(trip({ workerId: one.worker, completed: [done(one.job), done(two.job)] })).rejects.toMatchObject({ code: '55P03' })
    await open.rollback()
    expect((await queue.job(one.job.id)).status).toBe('running')
  })

  test("stores results up to the table's limit, whatever spaces PostgreSQL adds", async () => {
    const { worker, job } = await running()
    const resultJson = `[${Array(130_000).fill('1').join(',')}]`
    expect((await trip({ workerId: worker, completed: [done(job, { resultJson })] })).settled.size).toBe(1)
    expect((await queue.job(job.id)).result).toHaveLength(130_000)
  })
})

describe('what became of a run', () => {
  test('is told apart: deleted, settled, still running, lost', async () => {
    const runs = { deleted: await running(), settled: await running(), still_running: await running(), lost: await running() }
    await queue.pool.query('delete from job_queue where id = $1', [runs.deleted.job.id])
    await trip({ workerId: runs.settled.worker, completed: [done(runs.settled.job)] })
    await queue.pool.query(`update job_queue set status = 'retry', worker_id = null where id = $1`, [runs.lost.job.id])
    for (const [fate, { worker, job }] of Object.entries(runs)) {
      expect((await findRuns(statements.connection, worker, [job])).get(job.id)).toBe(fate)
    }
    const again = { ...runs.still_running.job, run: 0 }
    expect((await findRuns(statements.connection, runs.still_running.worker, [again])).get(again.id)).toBe('lost')
  })

  test('a stray is a running job of the worker that it does not know', async () => {
    const [known, stray] = [await queue.insert(), await queue.insert()]
    const worker = await register()
    await claim(worker, 2)
    await running()
    expect(await findStrayRuns(statements.connection, worker, [known.id])).toMatchObject([{ id: stray.id, run: 1, attempts: 1 }])
  })
})

describe('progress and steps of a run that is over', () => {
  test('change nothing', async () => {
    const { worker, job } = await running()
    await trip({ workerId: worker, completed: [done(job)] })
    await saveProgress(statements.connection, { id: job.id, run: job.run, fraction: 0.5, text: 'late' })
    expect(await saveStep(statements.connection, { id: job.id, run: job.run, name: 's', resultJson: '1' })).toBe(false)
    expect(await queue.job(job.id)).toMatchObject({ progress: null, progress_text: null })
    expect((await queue.pool.query('select from job_steps')).rows).toEqual([])
  })

  test('change nothing of the run that followed it', async () => {
    const { job } = await running()
    await queue.pool.query('update job_queue set run = run + 1 where id = $1', [job.id])
    const before = await queue.job(job.id)
    await saveProgress(statements.connection, { id: job.id, run: job.run, fraction: 0.5, text: 'late' })
    expect(await saveStep(statements.connection, { id: job.id, run: job.run, name: 's', resultJson: '1' })).toBe(false)
    expect(await queue.job(job.id)).toEqual(before)
    expect((await queue.pool.query('select from job_steps')).rows).toEqual([])
  })
})
