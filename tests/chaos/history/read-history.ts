import type { Pool } from 'pg'
import type { History } from './history.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** What the database recorded. */
export async function readHistory(pool: Pool): Promise<Pick<History, 'changes' | 'attempts' | 'deaths' | 'jobs' | 'writes'>> {
  const read = async (text: string) => (await pool.query(text)).rows
  return {
    changes: await read(`
      select position::int, ${ms('at')} as at, job, type, was_status as "from", status as "to", old_run as "oldRun", run,
        old_attempts as "oldAttempts", attempts, max_attempts as "maxAttempts", old_worker as "oldWorker", worker,
        ${ms('old_scheduled_for')} as "oldScheduledFor", ${ms('scheduled_for')} as "scheduledFor", ${ms('started_at')} as "startedAt",
        was_prefetched as "wasPrefetched", rescues, priority, replaced
      from chaos_changes order by position`),
    attempts: await read('select job_id as job, run, end_reason as reason from job_attempts order by id'),
    deaths: await read(`
      select worker, ${ms('lease_expires_at')} as "leaseExpiresAt", ${ms('dead_at')} as "deadAt" from chaos_deaths`),
    jobs: await read('select id, job_type as type, status, run, correlation_id as tag from job_queue'),
    writes: await read('select job, run from chaos_writes order by job, run'),
  }
}
