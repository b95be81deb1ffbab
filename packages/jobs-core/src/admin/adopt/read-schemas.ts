import type { PoolClient } from 'pg'

const query = `
  select current_schema() as "schema",
    (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass('job_queue')) as "queueSchema"`

/** Where migrations make things, and where the name job_queue leads. */
export async function readSchemas(client: PoolClient): Promise<{ schema: string; queueSchema: string }> {
  const { rows } = await client.query<{ schema: string; queueSchema: string }>(query)
  return rows[0] as { schema: string; queueSchema: string }
}
