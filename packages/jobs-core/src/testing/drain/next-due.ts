import { type CompiledQuery, sql } from 'kysely'
import { builder } from '../read-rows.ts'

export interface NextDue {
  /** Milliseconds until the first waiting job of these types is due; null when none waits. */
  in_ms: string | null
  /** How many are due now. */
  due: number
}

/** When there will be something to claim, or with `withTicks` to enqueue. A job that is scheduled for `infinity` never will. */
export function selectNextDue(types: readonly string[], withTicks: boolean): CompiledQuery<NextDue> {
  return sql<NextDue>`
    select extract(epoch from least(min(scheduled_for), (
        select min(s.next_at) from job_schedules s
        where ${withTicks}::boolean and s.enabled and s.error_msg is null and s.job_type = any(${types}::text[]) and isfinite(s.next_at)
      )) - clock_timestamp()) * 1000 as in_ms,
      (count(*) filter (where scheduled_for <= clock_timestamp()))::int as due
    from job_queue
    where ready and job_type = any(${types}::text[]) and isfinite(scheduled_for) and run < 2147483647`.compile(builder())
}
