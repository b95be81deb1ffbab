import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'

const query = statement<object, { present: boolean }>(
  'jobs_check_schema',
  () => sql`select to_regclass('job_queue') is not null and to_regclass('job_schedules') is not null as present`,
)

/** @throws ConfigurationError `SCHEMA_MISSING` when the database has not been migrated. */
export async function checkSchema(queue: QueueConnection): Promise<void> {
  const [row] = await queue.run(query({}))
  if (row?.present) return
  throw new ConfigurationError(
    'SCHEMA_MISSING',
    'The database has no job_queue, or one of an older release. Run the migrations first: sidelinja-worker migrate.',
  )
}
