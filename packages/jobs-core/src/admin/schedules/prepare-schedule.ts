import type { NewJob } from '../../enqueue/options.ts'
import { prepareByType, prepareJob } from '../../enqueue/prepare.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { checkTiming } from '../../schedule/check-timing.ts'
import type { ScheduleKey, ScheduleOptions } from '../../schedule/schedule-options.ts'
import { MISFIRES, type Misfire, type Timing } from '../../schedule/timing.ts'
import { closest } from '../../text/closest.ts'
import { show } from '../../text/show.ts'

/** One schedule as the statement takes it. */
export interface NewSchedule {
  collectionNodeId: string
  name: string
  type: string
  payloadJson: string
  cron: string | null
  everySeconds: number | null
  timeZone: string
  startsAt: Date | null
  priority: number
  maxAttempts: number
  uniqueKey: string | null
  uniqueUntil: string | null
  misfire: Misfire
  enabled: boolean | null
}

const keyNames = ['collectionNodeId', 'name'] satisfies (keyof ScheduleKey)[]
const timingNames = ['cron', 'everySeconds', 'timeZone', 'startsAt'] satisfies (keyof Timing)[]
const jobNames = ['job', 'payload', 'priority', 'maxAttempts', 'unique', 'misfire', 'enabled'] satisfies (keyof ScheduleOptions)[]
const optionNames: readonly string[] = [...keyNames, ...timingNames, ...jobNames]
const maxNameLength = 100
const defaultMaxAttempts = 3

/**
 * Checks a schedule whole, before any SQL.
 * @throws PermanentError `SCHEDULE_INVALID`, `CRON_INVALID`, `CRON_NEVER`, `TIME_ZONE_UNKNOWN` · InvalidPayloadError as `enqueue`
 */
export async function prepareSchedule<Input>(options: ScheduleOptions<Input>): Promise<NewSchedule> {
  checkNames(options)
  const { name, misfire = 'last', enabled } = options
  checkName(name)
  const where = `upsertSchedule(${name})`
  const timing = checkTiming(options, where)
  if (!MISFIRES.includes(misfire)) throw invalid(where, `misfire must be one of ${MISFIRES.join(', ')}`, misfire)
  if (enabled !== undefined && typeof enabled !== 'boolean') throw invalid(where, 'enabled must be true or false', enabled)
  if (options.unique !== undefined && typeof options.unique !== 'object' && options.unique !== false) {
    throw invalid(where, 'unique must be false or an object with key or until', options.unique)
  }
  const unique = options.unique ?? (misfire === 'all' ? false : {})
  if (misfire === 'all' && unique) {
    throw invalid(where, "misfire 'all' makes up for every tick and needs unique: false, which lets several of its jobs wait", unique)
  }
  const job = await prepare(options, unique, where)
  return {
    ...{ collectionNodeId: job.collectionNodeId, name, type: job.type, payloadJson: job.payloadJson },
    ...{ cron: timing.cron, everySeconds: timing.everySeconds, timeZone: timing.timeZone, startsAt: options.startsAt ?? null },
    ...{ priority: job.priority ?? 0, maxAttempts: job.maxAttempts ?? defaultMaxAttempts },
    ...{ uniqueKey: job.uniqueKey, uniqueUntil: unique ? (unique.until ?? 'claimed') : null, misfire, enabled: enabled ?? null },
  }
}

/** @throws PermanentError `SCHEDULE_INVALID` */
export function checkName(name: unknown): void {
  const fits = typeof name === 'string' && name !== '' && name.length <= maxNameLength && !name.includes('\0') && name.isWellFormed()
  if (!fits) throw invalid('schedule', `name must be a text of 1 to ${maxNameLength} characters without NUL or half surrogates`, name)
}

/** The job is checked as `enqueue` checks it. */
function prepare<Input>(
  { job, payload, collectionNodeId, priority, maxAttempts }: ScheduleOptions<Input>,
  unique: Exclude<ScheduleOptions['unique'], undefined>,
  where: string,
): Promise<NewJob> | NewJob {
  // A key stands in for the schedule's own, so that `until` is checked too.
  const checked = unique ? { ...unique, key: unique.key ?? 'schedule' } : undefined
  const options = { collectionNodeId, priority, maxAttempts, ...(checked && { unique: withoutUndefined(checked) }) }
  const own = unique && unique.key === undefined
  const ready = typeof job === 'string' ? prepareByType(job, payload, options, where) : prepareJob(job, payload, options, where)
  if (!own) return ready
  return Promise.resolve(ready).then((prepared) => ({ ...prepared, uniqueKey: null }))
}

function withoutUndefined<T extends { until?: 'claimed' | 'finished' | undefined; key: string }>({ key, until }: T) {
  return until === undefined ? { key } : { key, until }
}

function checkNames(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('upsertSchedule', 'expected an object that describes a schedule', options)
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown === undefined) return
  const near = closest(unknown, optionNames)
  throw new PermanentError(
    'SCHEDULE_INVALID',
    `upsertSchedule: there is no option ${JSON.stringify(unknown)}${near ? `; did you mean ${near}?` : '.'} Known: ${optionNames.join(', ')}.`,
  )
}

function invalid(where: string, expected: string, got: unknown): PermanentError {
  return new PermanentError('SCHEDULE_INVALID', `${where}: ${expected}, got ${show(got)}.`)
}
