import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'

/** What all workers know together about a service outside. There is one as soon as a call of it has failed. */
export interface ServiceBreaker {
  service: string
  /** `open`: it is down, and jobs that need it wait; `probing`: one job is just finding out whether it is back. */
  state: 'closed' | 'open' | 'probing'
  /** Since when it is down, or null. */
  since: Date | null
  /** From when on a job may find out whether it is back, or null. */
  probeAt: Date | null
  /** How many such jobs have found it down since then. */
  probes: number
  /** While it is not down: failures in a row. */
  failures: number
  /** How often it went down, ever. */
  openings: number
  /** When a call failed last, with which code and, if it answered, which HTTP status. */
  failedAt: Date | null
  errorCode: string | null
  httpStatus: number | null
  /** What it failed with, in words. Only when asked for. */
  error?: string | null
}

/** What {@link listServiceBreakers} may be asked for. */
export interface ListServiceBreakersOptions {
  /**
   * True: with what each failed with in words, which may hold the beginning of an answer about any tenant's job; with roles it is not for
   * queue_web. Default false.
   */
  withErrors?: boolean
}

type Row = Omit<ServiceBreaker, 'error'> & { error?: string | null }

/** Words without underscores, which no plugin of the caller's Kysely renames. */
const build = (more: string) => () =>
  sql`
    select service, case when opened_at is null then 'closed' when probe_expires_at > clock_timestamp() then 'probing' else 'open' end as state,
      opened_at as since, probe_at as "probeAt", probes, failures, openings, failed_at as "failedAt", error_code as "errorCode",
      http_status as "httpStatus"${sql.raw(more)}
    from service_breakers order by service`

const query = statement<object, Row>('jobs_admin_list_services', build(''))
const withErrorsQuery = statement<object, Row>('jobs_admin_list_services_with_errors', build(', error_msg as error'))

/** Lists the services that calls have failed of, by name: services are shared, so there is no scope. */
export async function listServiceBreakers(
  db: Queryable,
  { withErrors = false }: ListServiceBreakersOptions = {},
): Promise<ServiceBreaker[]> {
  return runQuery(db, withErrors ? withErrorsQuery({}) : query({}))
}
