import type { Pool } from 'pg'

/** As much as there can be: in each collection something of sixteen types ends in every minute and hour that is kept. */
export async function fillActivity(pool: Pool): Promise<void> {
  await pool.query(`
    insert into job_activity (collection_node_id, span, starts_at, job_type, completed, failed)
    select c.id, s.span, date_trunc(s.span, now(), 'UTC') - n * ('1 ' || s.span)::interval, 'type_' || t, 7, n % 2
    from (select distinct node_id as id from node_access) c, generate_series(0, 15) t,
      (values ('minute', 119), ('hour', 191)) s (span, last), generate_series(0, s.last) n`)
  await pool.query(`
    insert into job_durations (collection_node_id, starts_at, job_type, measure, bucket, jobs)
    select c.id, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 'type_' || t, m.measure, b, 5
    from (select distinct node_id as id from node_access) c, generate_series(0, 15) t, generate_series(0, 2) n,
      (values ('wait'), ('run')) m (measure), generate_series(10, 19) b`)
  await pool.query('vacuum analyze job_activity, job_durations')
}
