import type { PoolClient } from 'pg'
import type { Dependent } from './facts.ts'

const query = `
  select a.attname as "column", o.type, o.identity as name
  from pg_depend d
  join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  left join pg_attrdef f on d.classid = 'pg_attrdef'::regclass and f.oid = d.objid
  cross join pg_identify_object(d.classid, d.objid, d.objsubid) o
  where d.refclassid = 'pg_class'::regclass and d.refobjid = to_regclass('job_queue') and f.adnum is distinct from a.attnum
  group by 1, 2, 3 order by 1, 2, 3`

/** What hangs on the columns of job_queue: indexes, constraints, views (their rules), policies, triggers, generated columns. */
export async function readDependents(client: PoolClient): Promise<Dependent[]> {
  return (await client.query<Dependent>(query)).rows
}
