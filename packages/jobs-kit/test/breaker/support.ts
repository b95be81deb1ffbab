import { clearQueue, createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { surviveDisconnects } from '@sidelinja/jobs-core/worker'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { createBreaker, type ServiceDownError, UpstreamError } from '../../src/index.ts'

/** A service's answer with this status, as the HTTP client throws it. */
export const answered = (status: number, retryAfterMs?: number) =>
  new UpstreamError('UPSTREAM_UNAVAILABLE', `captions answered ${status}.`, {
    ...{
      service: 'captions',
      method: 'POST',
      url: 'http://captions.test/',
      status,
      retryable: status === 429 || status >= 500,
      retryAfterMs,
    },
  })

/** No answer at all. */
export const unreachable = () =>
  new UpstreamError('UPSTREAM_UNREACHABLE', 'captions could not be reached.', {
    ...{ service: 'captions', method: 'POST', url: 'http://captions.test/', retryable: true },
  })

/** What callers get while the service is down. */
export const down = expect.objectContaining({ name: 'ServiceDownError', kind: 'snooze', code: 'SERVICE_DOWN', service: 'captions' })

/** The row of a breaker, with its times as milliseconds from now on. */
export interface BreakerRow {
  openings: number
  failures: number
  open: boolean
  probes: number
  probeInMs: number | null
  probing: boolean
  errorCode: string | null
  errorMsg: string | null
  httpStatus: number | null
}

/** A database of the test file's own; its breakers go after each test. */
export function useBreakers() {
  let database: TestDatabase
  const pools: pg.Pool[] = []
  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
  })
  afterEach(() => clearQueue(database))
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await database.drop()
  })
  const captions = () => createBreaker(database.db, { service: 'captions' })
  const caught = (call: Promise<unknown>) => call.catch((error: unknown) => error)
  const fail = (error: unknown) => caught(captions().call(() => Promise.reject(error)))
  const succeed = () => captions().call(async () => 'words')
  const change = (set: string) => database.pool.query(`update service_breakers set ${set} where service = 'captions'`)
  return {
    get database() {
      return database
    },
    get db() {
      return database.db as unknown as Kysely<unknown>
    },
    /** Connections of their own, as another process has them. */
    connect(max: number, url = database.connectionString): Kysely<unknown> {
      const pool = surviveDisconnects(new pg.Pool({ connectionString: url, max }))
      pools.push(pool)
      return new Kysely({ dialect: new PostgresDialect({ pool }) })
    },
    async row(): Promise<BreakerRow | undefined> {
      const { rows } = await database.pool.query<BreakerRow>(`
        select openings, failures, opened_at is not null as open, probes, probe_id is not null as probing,
          extract(epoch from probe_at - clock_timestamp())::float8 * 1000 as "probeInMs",
          error_code as "errorCode", error_msg as "errorMsg", http_status as "httpStatus"
        from service_breakers where service = 'captions'`)
      return rows[0]
    },
    succeed,
    /** What the caller gets whose call ends with this error. */
    fail,
    /** Unreachable so often in a row. */
    async failTimes(times: number, error = unreachable()): Promise<void> {
      for (let n = 0; n < times; n++) await fail(error)
    },
    /** What a caller gets who is not let in. */
    refused: () => caught(succeed()) as Promise<ServiceDownError>,
    /** A call that ends as `outcome` does; resolves when the service is being called. What the caller gets, also an error, is under `ended`. */
    async begin(outcome: Promise<unknown>): Promise<{ ended: Promise<unknown> }> {
      const called = Promise.withResolvers<void>()
      const ended = captions().call(() => {
        called.resolve()
        return outcome
      })
      await called.promise
      return { ended: caught(ended) }
    },
    /** Lets the time of the next probe come. */
    makeDue: () => change('probe_at = clock_timestamp()'),
    /** Lets the minute pass after which a silent probe is taken for dead. */
    expireProbe: () => change('probe_expires_at = clock_timestamp()'),
    /** Lets time pass for a probe that is under way. */
    passes: (time: string) => change(`probe_expires_at = probe_expires_at - interval '${time}'`),
    /** Opens the breaker, and lets the time of its next probe come. */
    async openAndDue() {
      await database.pool.query(
        `select record_service_call('captions', coalesce((select openings from service_breakers where service = 'captions'), 0), null, 'fault')`,
      )
      await change('probe_at = clock_timestamp()')
    },
  }
}
