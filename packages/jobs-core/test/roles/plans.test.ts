import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openQueueConnection, type QueueConnection } from '../../src/database/queue-connection.ts'
import { decideOutcome } from '../../src/policy/outcome.ts'
import { closeRescuedWorkers } from '../../src/queue/close-rescued-workers.ts'
import { deregisterWorker } from '../../src/queue/deregister-worker.ts'
import { findCancelRequests } from '../../src/queue/find-cancel-requests.ts'
import { findDueSchedules } from '../../src/queue/find-due-schedules.ts'
import { findRuns } from '../../src/queue/find-runs.ts'
import { findStrayRuns } from '../../src/queue/find-stray-runs.ts'
import { forgetStarts } from '../../src/queue/forget-starts.ts'
import { loadSteps } from '../../src/queue/load-steps.ts'
import { renewLease } from '../../src/queue/renew-lease.ts'
import { rescueJobs } from '../../src/queue/rescue-jobs.ts'
import { saveProgress } from '../../src/queue/save-progress.ts'
import { saveStep } from '../../src/queue/save-step.ts'
import { settleAndClaim } from '../../src/queue/settle-and-claim.ts'
import { settleEndings } from '../../src/queue/settle-endings.ts'
import { showStarted } from '../../src/queue/show-started.ts'
import { stopSchedule } from '../../src/queue/stop-schedule.ts'
import { sentQuery } from '../support/sent-query.ts'
import { useRoles } from '../support/use-roles.ts'

const roles = useRoles()
let bound: QueueConnection
let unbound: QueueConnection

beforeAll(async () => {
  bound = openQueueConnection({ connectionString: roles.login('queue_worker').connectionString }, 1)
  unbound = openQueueConnection({ connectionString: roles.database.connectionString }, 1)
  await roles.database.query(`
    insert into nodes (id, kind) select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'collection' from generate_series(1000, 1199) n;
    insert into job_queue (collection_node_id, job_type, payload, status, created_at)
    select ('01900000-0000-7000-8000-' || lpad((1000 + n % 200)::text, 12, '0'))::uuid, 'type_' || n % 3, '{}',
      (array['completed', 'completed', 'completed', 'pending', 'error'])[n % 5 + 1]::job_status, now() - n * interval '1 second'
    from generate_series(1, 30000) n;
    insert into job_queue (collection_node_id, job_type, payload, status)
    select '${roles.mine}', 'type_1', '{}', 'completed' from generate_series(1, 3000);
    analyze job_queue`)
})
afterAll(() => Promise.all([bound.close(), unbound.close()]))

const id = randomUUID()
const types = ['type_0', 'type_1']
const claim = {
  workerId: id,
  claim: 1,
  types,
  completed: [{ id, run: 1, resultJson: '1', mayHaveSteps: true }],
  starting: [1],
  limit: 10,
  freeSlots: 5,
  lookahead: 5,
  rescuedHeld: 0,
  lastChanceHeld: false,
}
const statements: [string, (queue: QueueConnection) => Promise<unknown>][] = [
  ['settle and claim', (queue) => settleAndClaim(queue, { ...claim, byType: false })],
  ['settle and claim by type', (queue) => settleAndClaim(queue, { ...claim, byType: true })],
  ['settle endings', (queue) => settleEndings(queue, [{ id, run: 1, outcome: decideOutcome({ kind: 'interrupted' }, 1, 0) }])],
  ['rescue', rescueJobs],
  ['close rescued workers', closeRescuedWorkers],
  ['renew', (queue) => renewLease(queue, { id, leaseMs: 1, loopSilentMs: 0, heldFrom: 1 })],
  ['deregister', (queue) => deregisterWorker(queue, id)],
  ['find runs', (queue) => findRuns(queue, id, [{ id, run: 1 }])],
  ['find stray runs', (queue) => findStrayRuns(queue, id, [id])],
  ['find cancel requests', (queue) => findCancelRequests(queue, [id])],
  ['progress', (queue) => saveProgress(queue, { id, run: 1, fraction: 0.5, text: null })],
  ['steps', (queue) => loadSteps(queue, id)],
  ['find due schedules', (queue) => findDueSchedules(queue, [], 10)],
  ['stop a schedule', (queue) => stopSchedule(queue, { id, revision: 0, reason: 'x' })],
  ['forget starts', (queue) => forgetStarts(queue, { workerId: id, from: 1, to: 2 })],
  ['show started', (queue) => showStarted(queue, [{ id, run: 1 }])],
  ['a step', (queue) => saveStep(queue, { id, run: 1, name: 's', resultJson: '1' })],
]

describe('under row-level security', () => {
  test.each(statements)('%s reads the same indexes, with the same conditions', async (_name, run) => {
    const [free, secured] = [await planOf(unbound, run), await planOf(bound, run)]
    expect(secured.filter(isScan)).toEqual(free.filter(isScan))
    expect(secured.filter((line) => line.startsWith('Index Cond'))).toEqual(free.filter((line) => line.startsWith('Index Cond')))
    expect(secured.filter((line) => /^Seq Scan on job_(queue|attempts|steps)/.test(line))).toEqual([])
    expect(wholeScans(secured)).toEqual([])
  })

  test('a scan of a whole table by an index in its order is noticed', () => {
    const scan = 'Index Scan using job_queue_pkey on job_queue q'
    expect(wholeScans([scan, "Filter: (status = 'running'::job_status)", 'CTE Scan on ended'])).toEqual([scan])
    expect(wholeScans([scan, 'Index Cond: (id = e.id)', 'Filter: x'])).toEqual([])
  })

  test('a user without failed jobs finds out by the index of the failed ones, reading nothing', async () => {
    const [plan] = await explain(`select id from job_queue where failed order by created_at desc, id desc limit 50`)
    expect(plan).toMatch(/(Index Only Scan|Index Scan|Bitmap Index Scan).* (using|on) job_queue_failed/)
    expect(plan).not.toMatch(/Seq Scan on job_queue/)
    expect(plan).toMatch(/job_queue_failed.*rows=0/)
    expect(plan).not.toMatch(/Rows Removed by Filter: [1-9]/)
  })

  test("a user's newest jobs come from the index of their collections", async () => {
    const [plan] = await explain('select id from job_queue order by created_at desc, id desc limit 50')
    expect(plan).toMatch(/job_queue_collection/)
    expect(plan).not.toMatch(/Seq Scan on job_queue/)
  })

  test('what monitoring asks lies in indexes: what is completed is not read', async () => {
    const client = await roles.database.pool.connect()
    try {
      const { rows } = await client.query(`select pg_get_function_sqlbody('job_metrics'::regproc) as body`)
      const body = /^BEGIN ATOMIC([\s\S]*);\s*END$/.exec(rows[0].body)?.[1]
      // Where there is an index, it takes that.
      await client.query('begin; set local enable_seqscan = off')
      const plan = JSON.stringify((await client.query(`explain (costs off) ${body}`)).rows)
      for (const index of ['claimable', 'parked', 'held', 'failed']) expect(plan).toContain(`job_queue_${index}`)
      expect(plan).not.toContain('Seq Scan on job_queue')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  async function explain(statement: string): Promise<[string]> {
    const rows = await roles.forUser(roles.owner, `explain (analyze, costs off, timing off, summary off) ${statement}`)
    return [rows.map((row) => row['QUERY PLAN']).join('\n')]
  }
})

/** Scans of a queue's table that no condition bounds. Sequential ones show themselves; an index walked from end to end does not. */
function wholeScans(plan: readonly string[]): string[] {
  return plan.filter(
    (line, index) => /^Index (Only )?Scan.* on job_(queue|attempts|steps)\b/.test(line) && !plan[index + 1]?.startsWith('Index Cond'),
  )
}

const isScan = (line: string) => /Scan/.test(line)

/** The plan of the statement that `run` sends, line by line, without indentation. */
async function planOf(queue: QueueConnection, run: (queue: QueueConnection) => Promise<unknown>): Promise<string[]> {
  const { name, text, values } = await sentQuery(run)
  const rows = await queue.run<{ 'QUERY PLAN': string }>({ name: `explained_${name}`, text: `explain (costs off) ${text}`, values })
  return rows.map((row) =>
    row['QUERY PLAN']
      .trim()
      .replace(/^->\s+/, '')
      .replaceAll(/InitPlan \d+|\$\d+/g, 'InitPlan'),
  )
}
