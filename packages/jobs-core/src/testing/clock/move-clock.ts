import { type CompiledQuery, sql } from 'kysely'
import { builder } from '../read-rows.ts'

/** The statement that makes all times of schedules, of breakers, and of jobs that do not run, `ms` earlier. */
export function moveClock(ms: number): CompiledQuery<unknown> {
  const by = sql`${ms}::float8 * interval '1 millisecond'`
  return sql`
    with moved as (
      update job_queue q
      set created_at = q.created_at - ${by}, scheduled_for = q.scheduled_for - ${by},
        started_at = q.started_at - ${by}, completed_at = q.completed_at - ${by}
      where q.status <> 'running'
      returning q.id, q.job_type, q.ready and q.scheduled_for <= clock_timestamp() as due),
    history as (
      update job_attempts a set started_at = a.started_at - ${by}, ended_at = a.ended_at - ${by}
      from moved m where a.job_id = m.id),
    steps as (
      update job_steps s set created_at = s.created_at - ${by}
      from moved m where s.job_id = m.id),
    schedules as (
      update job_schedules s
      set next_at = s.next_at - ${by}, counts_from = s.counts_from - ${by}, starts_at = s.starts_at - ${by},
        last_tick_at = s.last_tick_at - ${by}, created_at = s.created_at - ${by}
      where ${ms}::float8 > 0),
    breakers as (
      update service_breakers s
      set opened_at = s.opened_at - ${by}, probe_at = s.probe_at - ${by}, failed_at = s.failed_at - ${by}),
    ticks as (update job_schedule_ticks t set tick_at = t.tick_at - ${by}, ticked_at = t.ticked_at - ${by}),
    woken as (
      select wake_idle_workers(array_agg(distinct m.job_type)) from moved m where m.due having count(*) > 0)
    select count(*) from woken`.compile(builder())
}
