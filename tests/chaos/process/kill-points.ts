import type { Role } from './role.ts'
import type { Answer, Statement } from './watch-statements.ts'

/** When around a statement. `sent`: it is on its way, and nobody will hear what became of it. */
type Moment = 'before' | 'sent' | 'answered'

/** A step of the product at which a process can be killed. */
export interface KillPoint {
  name: string
  /** Which process gets there. */
  role: Role
  /** What brings it there: jobs, a SIGTERM while jobs run, the death of another worker, or just its start. Default: jobs. */
  needs?: 'stop' | 'dead_worker' | 'start'
  at: { statement(statement: Statement, answer: Answer): boolean; moment: Moment } | { handler: 'start' | 'middle' | 'effect' | 'write' }
}

const named = (name: string) => (statement: Statement) => statement.name === name
const says = (text: RegExp) => (statement: Statement) => text.test(statement.text)
const hasRows = (_: Statement, answer: Answer) => (answer?.rows?.length ?? 0) > 0

/** In order, or type by type. */
const claims = (statement: Statement) => statement.name.startsWith('jobs_settle_and_claim')
/** The statement's second parameter holds the ids that are settled, the sixth the numbers of claims that start. */
const settles = (statement: Statement) => claims(statement) && statement.values[1] !== '{}'
const notesStarts = (statement: Statement) => claims(statement) && statement.values[5] !== null
const claimed = (statement: Statement, answer: Answer) => claims(statement) && (answer?.rows?.length ?? 0) > 1
const endings = named('jobs_settle_endings')
const rescues = named('jobs_rescue')

const allPoints = [
  { name: 'start-up: registered', role: 'worker', needs: 'start', at: { statement: named('jobs_register_worker'), moment: 'answered' } },
  { name: 'start-up: listening', role: 'worker', needs: 'start', at: { statement: says(/^listen /i), moment: 'answered' } },
  { name: 'claim: before', role: 'worker', at: { statement: claims, moment: 'before' } },
  { name: 'claim: sent', role: 'worker', at: { statement: claims, moment: 'sent' } },
  { name: 'claim: committed', role: 'worker', at: { statement: claimed, moment: 'answered' } },
  { name: 'start of what was claimed ahead: sent', role: 'worker', at: { statement: notesStarts, moment: 'sent' } },
  { name: 'start of what was claimed ahead: noted', role: 'worker', at: { statement: notesStarts, moment: 'answered' } },
  { name: 'handler: start', role: 'worker', at: { handler: 'start' } },
  { name: 'handler: middle', role: 'worker', at: { handler: 'middle' } },
  { name: 'handler: after an outside effect', role: 'worker', at: { handler: 'effect' } },
  { name: 'step: before it is stored', role: 'worker', at: { statement: named('jobs_save_step'), moment: 'before' } },
  { name: 'step: stored', role: 'worker', at: { statement: named('jobs_save_step'), moment: 'answered' } },
  { name: 'settle: before', role: 'worker', at: { statement: settles, moment: 'before' } },
  { name: 'settle: sent', role: 'worker', at: { statement: settles, moment: 'sent' } },
  { name: 'settle: committed', role: 'worker', at: { statement: settles, moment: 'answered' } },
  { name: 'write: begun', role: 'worker', at: { statement: says(/jobs\.collection/), moment: 'answered' } },
  { name: 'write: past the fence', role: 'worker', at: { handler: 'write' } },
  { name: 'write: before commit', role: 'worker', at: { statement: says(/^commit$/i), moment: 'before' } },
  { name: 'write: commit sent', role: 'worker', at: { statement: says(/^commit$/i), moment: 'sent' } },
  { name: 'write: committed', role: 'worker', at: { statement: says(/^commit$/i), moment: 'answered' } },
  { name: 'failure: before it is settled', role: 'worker', at: { statement: endings, moment: 'before' } },
  { name: 'failure: sent', role: 'worker', at: { statement: endings, moment: 'sent' } },
  { name: 'failure: settled', role: 'worker', at: { statement: endings, moment: 'answered' } },
  { name: 'heartbeat: before', role: 'worker', at: { statement: named('jobs_renew_lease'), moment: 'before' } },
  { name: 'heartbeat: sent', role: 'worker', at: { statement: named('jobs_renew_lease'), moment: 'sent' } },
  { name: 'heartbeat: answered', role: 'worker', at: { statement: named('jobs_renew_lease'), moment: 'answered' } },
  { name: 'rescue: dead marked', role: 'worker', needs: 'dead_worker', at: { statement: rescues, moment: 'before' } },
  { name: 'rescue: sent', role: 'worker', needs: 'dead_worker', at: { statement: rescues, moment: 'sent' } },
  {
    name: 'rescue: committed',
    role: 'worker',
    needs: 'dead_worker',
    at: { statement: (statement, answer) => rescues(statement) && hasRows(statement, answer), moment: 'answered' },
  },
  { name: 'drain: marked', role: 'worker', needs: 'stop', at: { statement: named('jobs_mark_draining'), moment: 'answered' } },
  { name: 'hand-back: before', role: 'worker', needs: 'stop', at: { statement: handsBack, moment: 'before' } },
  { name: 'hand-back: sent', role: 'worker', needs: 'stop', at: { statement: handsBack, moment: 'sent' } },
  { name: 'leaving: deregistered', role: 'worker', needs: 'stop', at: { statement: named('jobs_deregister_worker'), moment: 'answered' } },
  { name: 'schedule tick: before', role: 'worker', needs: 'start', at: { statement: named('jobs_tick_schedule'), moment: 'before' } },
  { name: 'schedule tick: sent', role: 'worker', needs: 'start', at: { statement: named('jobs_tick_schedule'), moment: 'sent' } },
  { name: 'schedule tick: committed', role: 'worker', needs: 'start', at: { statement: named('jobs_tick_schedule'), moment: 'answered' } },
  { name: 'enqueue: before commit', role: 'enqueue', at: { statement: says(/^commit$/i), moment: 'before' } },
  { name: 'enqueue: commit sent', role: 'enqueue', at: { statement: says(/^commit$/i), moment: 'sent' } },
  { name: 'enqueue: committed', role: 'enqueue', at: { statement: says(/^commit$/i), moment: 'answered' } },
  { name: 'cancel: sent', role: 'cancel', at: { statement: says(/from cancel_job\(/), moment: 'sent' } },
  { name: 'cancel: committed', role: 'cancel', at: { statement: says(/from cancel_job\(/), moment: 'answered' } },
  { name: 'admin retry: sent', role: 'retry', at: { statement: says(/from retry_job\(/), moment: 'sent' } },
  { name: 'admin retry: committed', role: 'retry', at: { statement: says(/from retry_job\(/), moment: 'answered' } },
  { name: 'migrate: inside a file', role: 'migrate', at: { statement: says(/^insert into job_migrations/), moment: 'answered' } },
  { name: 'migrate: commit sent', role: 'migrate', at: { statement: says(/^commit$/i), moment: 'sent' } },
] as const satisfies readonly KillPoint[]

export type PointName = (typeof allPoints)[number]['name']

/** Every named step. A new one is a line here; the chaos program fails when a step is never reached. */
export const killPoints: readonly (KillPoint & { name: PointName })[] = allPoints

/** The hand-back of what runs or waits in a worker that stops. */
function handsBack(statement: Statement): boolean {
  const kinds = statement.values[2]
  return endings(statement) && Array.isArray(kinds) && kinds.some((kind) => kind === 'released' || kind === 'unstarted')
}
