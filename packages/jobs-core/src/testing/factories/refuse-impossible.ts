import { ConfigurationError } from '../../errors/configuration-error.ts'
import type { JobRow } from './job-row.ts'

/** A rule of the queue, and when a row breaks it. */
type Rule = readonly [broken: boolean, words: string]

/**
 * Refuses a row that no job can have: a test of it would prove nothing.
 * @throws ConfigurationError `TEST_JOB_IMPOSSIBLE` with every rule it breaks.
 */
export function refuseImpossible(row: JobRow): void {
  const broken = [...aboutStatus(row), ...aboutRuns(row), ...aboutTimes(row)].filter(([isBroken]) => isBroken)
  if (broken.length === 0) return
  throw new ConfigurationError(
    'TEST_JOB_IMPOSSIBLE',
    `insertJob: no job can be so. ${broken.map(([, words]) => words).join(' ')} For a row past every rule, insert it with SQL.`,
  )
}

function aboutStatus({ status, attempts, ...row }: JobRow): Rule[] {
  const isFinal = ['completed', 'error', 'cancelled'].includes(status)
  const waits = status === 'pending' || status === 'retry'
  const { unique_key: key, unique_until: until, unique_held: held } = row
  return [
    [status === 'pending' && attempts > 0, `A job that waits and has ${attempts} attempts behind it is retry, not pending.`],
    [!['pending', 'cancelled'].includes(status) && attempts === 0, `A job that is ${status} has had an attempt.`],
    [status === 'error' && row.error_msg === null, 'A job that is error says why in error_msg.'],
    [status === 'completed' && row.error_msg !== null, 'A job that is completed has no error_msg.'],
    [status !== 'completed' && row.result !== null, `Only a completed job has a result; this one is ${status}.`],
    [row.completed_at === null && isFinal, `A job that is ${status} has a completed_at.`],
    [row.completed_at !== null && !isFinal, `A job that is ${status} has no completed_at.`],
    [row.cancel_requested_at != null && status !== 'running', `Only a running job waits to be cancelled; this one is ${status}.`],
    [row.prefetched === true && status !== 'running', `Only a running job can be prefetched; this one is ${status}.`],
    [held && !waits && status !== 'running', `A job that is ${status} has let go of its unique_key.`],
    [held && status === 'running' && until === 'claimed', 'A running job has let go of a unique_key that is held until claimed.'],
    [(key === null) !== (until === null) || (held && key === null), 'unique_key, unique_until and unique_held belong together.'],
  ]
}

function aboutRuns({ status, attempts, max_attempts: max, run, ...row }: JobRow): Rule[] {
  return [
    [attempts < 0 || max < 1, 'attempts is 0 or more, max_attempts 1 or more.'],
    [attempts > max, `${attempts} attempts are more than the ${max} allowed.`],
    [status === 'retry' && attempts >= max, `After ${attempts} of ${max} attempts a job is error, not retry.`],
    [run < attempts, `Every attempt is a run: run ${run} is less than attempts ${attempts}.`],
    [status === 'running' && row.worker_id === null, 'A running job has a worker_id.'],
    [run === 0 && row.worker_id !== null, 'A job that was never claimed (run 0) has no worker_id.'],
    [run === 0 && row.started_at !== null, 'A job that was never claimed (run 0) has no started_at.'],
    [run > 0 && row.started_at === null, `A job that was claimed (run ${run}) has a started_at.`],
    [run === 0 && row.progress != null, 'A job that was never claimed (run 0) has no progress.'],
  ]
}

function aboutTimes(row: JobRow): Rule[] {
  const [created, started, completed] = [row.created_at, row.started_at, row.completed_at].map(milliseconds)
  return [
    [after(created, started), 'started_at is before created_at.'],
    [after(started, completed), 'completed_at is before started_at.'],
    [after(created, completed), 'completed_at is before created_at.'],
  ]
}

/** Not known for the moment of the insert, and for what only PostgreSQL can read. */
function milliseconds(time: unknown): number | undefined {
  if (typeof time !== 'string' && !(time instanceof Date)) return undefined
  const value = new Date(time).getTime()
  return Number.isNaN(value) ? undefined : value
}

function after(first: number | undefined, second: number | undefined): boolean {
  return first !== undefined && second !== undefined && first > second
}
