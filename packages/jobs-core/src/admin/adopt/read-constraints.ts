import type { PoolClient } from 'pg'
import type { Constraint } from './facts.ts'

// 18 also keeps not-null constraints here; they are read with the columns.
const query = `
  select k.conname as name, k.contype::text as kind, pg_get_constraintdef(k.oid) as definition,
    (select relname from pg_class where oid = k.confrelid) as references,
    array(select a.attname::text from unnest(k.conkey) c join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c) as columns
  from pg_constraint k
  where k.conrelid = to_regclass('job_queue') and k.contype not in ('n', 't')
  order by k.conname`

export async function readConstraints(client: PoolClient): Promise<Constraint[]> {
  return (await client.query<Constraint>(query)).rows
}
