import type { PoolClient } from 'pg'

const query = `select tgname as name from pg_trigger where tgrelid = to_regclass('job_queue') and not tgisinternal order by tgname`

export async function readTriggers(client: PoolClient): Promise<string[]> {
  return (await client.query<{ name: string }>(query)).rows.map(({ name }) => name)
}
