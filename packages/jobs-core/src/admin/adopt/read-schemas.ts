import type { PoolClient } from 'pg'

const query = `
  select current_schema() as "schema",
    (select relnamespace::regnamespace::text from pg_class where oid = to_regclass('job_queue')) as "queueSchema"`

/** Where migrations make things, and where the name job_queue leads. */
export async function readSchemas(client: PoolClient): Promise<{ schema: string; queueSchema: string }> {
  const { rows } = await client.query<{ schema: string; queueSchema: string }>(query)
  return rows[0] as { schema: string; queueSchema: string }
}
