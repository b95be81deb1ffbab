import { ConfigurationError } from '@sidelinja/jobs-core'
import { describeError, isConnectionLoss } from '@sidelinja/jobs-core/worker'
import { type Admission, admitServiceCall } from '../storage/breakers/admit-service-call.ts'
import { type RecordedCall, recordServiceCall } from '../storage/breakers/record-service-call.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'
import { within } from '../within.ts'
import { type BreakerVerdict, breakerVerdict, shapeOf } from './breaker-verdict.ts'
import { keepProbe } from './keep-probe.ts'
import { ServiceDownError } from './service-down-error.ts'

/** What was put off together does not come back together: a tenth of the wait, and these at least. */
const spreadShare = 0.1
const minSpreadMs = 3_000
const admitMs = 10_000
const recordMs = 5_000
const maxMessageLength = 500

/** Stands before every call of a service, and knows what all workers know about it. */
export interface Breaker {
  readonly service: string
  /**
   * Calls the service through `fn`, unless it is down. `fn` should hold that call and nothing else: what it throws is judged as the service's.
   * @throws ServiceDownError `SERVICE_DOWN` when the service is down, also in place of the error that opened the breaker (its `cause`) · whatever `fn` throws.
   */
  call<T>(fn: () => Promise<T>): Promise<T>
}

/** Whose breaker it is. */
export interface BreakerOptions {
  /** The service's name, as handlers name it in their `services`: lower case, a letter first, at most 63 characters. */
  service: string
  /** What an error says about the service. Default: {@link breakerVerdict}. */
  verdict?: ((error: unknown) => BreakerVerdict) | undefined
}

/**
 * The breaker of a service, shared by all workers through its row in `service_breakers`. 401 and 403, or five connect errors, timeouts or 5xx in a row, open
 * it. While it is open nobody calls, but for one probe at a time: after 30 s, one minute, two … at most a quarter of an hour. A probe
 * that succeeds closes it. Whatever becomes of the breaker's own statements, what `fn` returned or threw is not lost.
 * @param db not a transaction: others must see what is recorded at once.
 * @throws ConfigurationError `DEFINITION_INVALID` for a name that is none.
 */
export function createBreaker(db: StorageDatabase, { service, verdict = breakerVerdict }: BreakerOptions): Breaker {
  if (typeof service !== 'string' || !/^[a-z][a-z0-9_-]{0,62}$/.test(service)) {
    const expected = 'a service is named in lower case, a letter first, at most 63 characters'
    throw new ConfigurationError('DEFINITION_INVALID', `createBreaker: ${expected}; got ${JSON.stringify(service)}.`)
  }
  return Object.freeze({ service, call: <T>(fn: () => Promise<T>) => guard({ db, service, verdict }, fn) })
}

interface Guard {
  db: StorageDatabase
  service: string
  verdict: (error: unknown) => BreakerVerdict
}

async function guard<T>(breaker: Guard, fn: () => Promise<T>): Promise<T> {
  const admission = await admit(breaker)
  if (!admission) return fn()
  if (!admission.admitted) throw serviceDown(breaker.service, admission)
  const stop = admission.probe === null ? () => {} : keepProbe(breaker.db, breaker.service, admission.probe)
  try {
    const result = await fn()
    await record(breaker, admission, { verdict: 'success' })
    return result
  } catch (error) {
    throw await judge(breaker, admission, error)
  } finally {
    stop()
  }
}

/** Undefined when the database is away: a call may then succeed all the same, and says nothing to others. */
async function admit({ db, service }: Guard): Promise<Admission | undefined> {
  try {
    return await within(admitMs, admitServiceCall(db, service))
  } catch (error) {
    if (isConnectionLoss(error)) return undefined
    throw error
  }
}

/** What the caller gets in place of an error of the service. */
async function judge(breaker: Guard, admission: Admission, error: unknown): Promise<unknown> {
  const said = verdictOf(breaker, error)
  if (said === 'ignore' && admission.probe === null) return error
  const after = await record(breaker, admission, { verdict: said === 'ignore' ? 'none' : said, error })
  const counts = said === 'failure' || said === 'fault'
  return counts && after?.open ? serviceDown(breaker.service, after, error) : error
}

function verdictOf({ verdict }: Guard, error: unknown): BreakerVerdict {
  try {
    return verdict(error)
  } catch {
    return 'ignore'
  }
}

/** Never rejects: undefined when the database does not answer. A probe that could not be recorded is taken for dead after a minute. */
async function record(
  { db, service }: Guard,
  { opening, probe }: Admission,
  { verdict, error }: { verdict: 'success' | 'failure' | 'fault' | 'none'; error?: unknown },
): Promise<RecordedCall | undefined> {
  const { status, retryAfterMs } = shapeOf(error)
  const { code, message } = error === undefined ? { code: null, message: null } : describeError(error)
  const call = {
    ...{ service, opening, probe, verdict, code, message: message?.slice(0, maxMessageLength).toWellFormed() ?? null },
    quietMs: typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) ? retryAfterMs : 0,
    status: typeof status === 'number' && Number.isInteger(status) && status > 0 && status < 1_000 ? status : null,
  }
  return within(recordMs, recordServiceCall(db, call)).catch(() => undefined)
}

function serviceDown(service: string, { waitMs, since }: Pick<Admission, 'waitMs' | 'since'>, cause?: unknown): ServiceDownError {
  const delayMs = Math.round(waitMs + Math.random() * Math.max(minSpreadMs, waitMs * spreadShare))
  const message = `The service ${service} has been down since ${since?.toISOString() ?? 'a moment ago'}. The job comes back when it is to be tried again; no attempt is charged.`
  return new ServiceDownError(service, delayMs, message, cause === undefined ? undefined : { cause })
}
