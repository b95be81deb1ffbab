import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'

const query = statement<object, { present: boolean }>(
  'jobs_check_schema',
  () => sql`select bool_and(to_regclass(name) is not null)
      and exists (select from pg_attribute where attrelid = to_regclass('job_workers') and attname = 'wake_mode') as present
    from unnest(array['job_queue', 'job_workers', 'job_schedules', 'job_pauses', 'job_queue_held', 'job_queue_claimable',
      'job_queue_claimable_by_type', 'service_breakers']) name`,
)

/** @throws ConfigurationError `SCHEMA_MISSING` when the database has not been migrated, or not to this release. */
export async function checkSchema(queue: QueueConnection): Promise<void> {
  const [row] = await queue.run(query({}))
  if (row?.present) return
  throw new ConfigurationError(
    'SCHEMA_MISSING',
    'The database has no job_queue, or that of an older release. Run the migrations first: sidelinja-worker migrate, or migrate(pool) of @sidelinja/jobs-core/admin.',
  )
}
