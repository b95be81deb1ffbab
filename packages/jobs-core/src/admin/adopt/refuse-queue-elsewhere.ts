import type { PoolClient } from 'pg'
import { ConfigurationError } from '../../errors/configuration-error.ts'

/**
 * Where a queue is to be adopted and none is found, one that lies off the search path is probably meant: to make an empty one beside it would
 * look like success.
 * @throws ConfigurationError `ADOPTION_IMPOSSIBLE`
 */
export async function refuseQueueElsewhere(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relname = 'job_queue' and c.relkind in ('r', 'p', 'v') and n.nspname <> all(current_schemas(true)) limit 1`,
  )
  const schema = rows[0]?.schema
  if (schema === undefined) return
  throw new ConfigurationError(
    'ADOPTION_IMPOSSIBLE',
    `There is no job_queue on the search path to adopt, but there is ${schema}.job_queue. Put ${schema} first: set search_path for the role that migrates. Without --adopt an empty queue is made.`,
  )
}
