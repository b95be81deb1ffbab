import type { Job } from '../../admin/get-job.ts'
import { JOB_STATUSES, type JobStatus } from '../../database/tables.ts'
import { isJobType, type JobDefinition } from '../../definition/define-job.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { type Duration, durationMs, isDuration } from '../clock/duration.ts'
import { refuseUnknown } from '../refuse-unknown.ts'
import { compare, type Difference, type Part } from './compare.ts'

/** What a job is to be like; what is left out does not matter. */
export interface ExpectedJob<Input = unknown> {
  /** The payload as it was given to `enqueue`, or a part of it: of objects only the keys that are named. */
  payload?: Part<Input>
  /** The tenant. */
  collectionNodeId?: string
  /** The priority it has, whoever gave it. */
  priority?: number
  /** The attempts it is allowed, whoever gave them. */
  maxAttempts?: number
  /** A time, give or take five seconds; or how long after it was enqueued, by the database's clock: `{ hours: 2 }`, `{ seconds: 0 }`. */
  scheduledFor?: Date | Duration
  /** Null: it has none. */
  uniqueKey?: string | null
  /** Null: it has none. */
  correlationId?: string | null
  /** Its status now, or one of several. */
  status?: JobStatus | readonly JobStatus[]
}

/** What names a job type: its definition or its name. */
export type JobName<Input> = JobDefinition<Input, unknown> | string

/** "Near" a time: a test that enqueues by Node's clock may be this far from the database's. */
const toleranceMs = 5_000

const expectedNames = [
  'payload',
  'collectionNodeId',
  'priority',
  'maxAttempts',
  'scheduledFor',
  'uniqueKey',
  'correlationId',
  'status',
] as const satisfies (keyof ExpectedJob)[]

/**
 * Refuses what could match nothing, or everything.
 * @throws ConfigurationError `TEST_OPTION_INVALID`
 */
export function checkExpected(expected: ExpectedJob, where: string, more: readonly string[] = []): void {
  refuseUnknown(expected, [...expectedNames, ...more], where)
  const statuses = [expected.status ?? []].flat()
  const unknown = statuses.find((status) => !JOB_STATUSES.includes(status))
  if (unknown !== undefined) {
    throw new ConfigurationError('TEST_OPTION_INVALID', `${where}: there is no status ${show(unknown)}. Known: ${JOB_STATUSES.join(', ')}.`)
  }
  if (Array.isArray(expected.status) && expected.status.length === 0) refuse(where, 'status', 'one or several statuses', [])
  const { scheduledFor, collectionNodeId } = expected
  if (scheduledFor instanceof Date && Number.isNaN(scheduledFor.getTime())) refuse(where, 'scheduledFor', 'a valid time', scheduledFor)
  if (collectionNodeId !== undefined && !isUuid(collectionNodeId)) refuse(where, 'collectionNodeId', 'a uuid', collectionNodeId)
  for (const name of ['priority', 'maxAttempts'] as const)
    if (expected[name] !== undefined && !Number.isInteger(expected[name])) refuse(where, name, 'a whole number', expected[name])
  if (isDuration(expected.scheduledFor)) durationMs(expected.scheduledFor, `${where} scheduledFor`)
}

function refuse(where: string, name: string, wanted: string, got: unknown): never {
  throw new ConfigurationError('TEST_OPTION_INVALID', `${where}: ${name} must be ${wanted}, got ${show(got)}.`)
}

/** The type's name. @throws ConfigurationError `TEST_OPTION_INVALID` */
export function typeOf<Input>(job: JobName<Input>, where: string): string {
  const type = typeof job === 'string' ? job : job?.type
  if (isJobType(type)) return type
  throw new ConfigurationError('TEST_OPTION_INVALID', `${where}: expected a job definition or the name of a job type, got ${show(type)}.`)
}

/** Where a job is not as expected. */
export function differences(job: Job, expected: ExpectedJob): Difference[] {
  const { payload, scheduledFor, status, ...others } = expected
  const columns = { ...others, collectionNodeId: others.collectionNodeId?.toLowerCase() }
  const plain = { collectionNodeId: job.collection_node_id, priority: job.priority, maxAttempts: job.max_attempts }
  const got = { ...plain, uniqueKey: job.unique_key, correlationId: job.correlation_id }
  return [
    ...(payload === undefined ? [] : compare(job.payload, payload, 'payload')),
    ...Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : compare(got[name as keyof typeof got], value, name))),
    ...(scheduledFor === undefined ? [] : compareTime(job, scheduledFor)),
    ...(status === undefined || [status].flat().includes(job.status) ? [] : [{ path: 'status', expected: status, got: job.status }]),
  ]
}

function compareTime(job: Job, expected: Date | Duration): Difference[] {
  const time = expected instanceof Date ? expected.getTime() : job.created_at.getTime() + durationMs(expected, 'scheduledFor')
  if (Math.abs(job.scheduled_for.getTime() - time) <= toleranceMs) return []
  return [{ path: 'scheduledFor', expected: new Date(time), got: job.scheduled_for }]
}
