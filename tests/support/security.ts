import type { Pool } from 'pg'

export interface SecuritySnapshot {
  tables: Record<string, { owner: string; rowSecurity: string; policies: Record<string, string>; grants: Record<string, string> }>
  /** What numbers identities. */
  sequences: Record<string, string>
  functions: Record<string, string>
}

/** Not of the queue: the host's tables, the list of migrations, and a view that asks with the rights of whoever reads it. */
const notSecured = ['edges', 'job_migrations', 'node_access', 'nodes', 'podcast_download_totals']

/** What a migration added and no migration of roles has secured, each with what to do about it. */
export function unsecured({ tables, functions }: SecuritySnapshot): string[] {
  const advice = (what: string) => `Add a file to migrations/roles (of a handler: migrations/handler-roles) that says ${what}.`
  return [
    ...Object.entries(tables)
      .filter(([name, { rowSecurity }]) => rowSecurity !== 'on, forced' && !notSecured.includes(name))
      .map(
        ([name]) =>
          `Row-level security is not on for ${name}. ${advice(`select secure_queue_table('${name}') or, for what handlers write, secure_handler_table, and grants each role what it needs`)}`,
      ),
    ...Object.entries(functions)
      .filter(([, definition]) => definition.includes('everybody'))
      .map(
        ([name]) =>
          `Everybody may call ${name}. ${advice(`alter function ${name} owner to queue_owner; revoke all on function ${name} from public; and grants it to whoever needs it`)}`,
      ),
  ]
}

interface Row {
  object: string
  name: string
  definition: string
}

/** Who may do what in the schema, read from PostgreSQL's catalogue: the same text from 15 to 18. The migrating role reads as `migrator`. */
export async function readSecurity(pool: Pool): Promise<SecuritySnapshot> {
  const rows = async (text: string) => (await pool.query<Row>(text)).rows
  const [tables, policies, grants, sequences, functions] = [
    await rows(tableOwners),
    await rows(policyDefinitions),
    await rows(tableGrants),
    await rows(sequenceGrants),
    await rows(functionSecurity),
  ]
  const of = (list: Row[], table: string) =>
    Object.fromEntries(list.filter((row) => row.object === table).map((row) => [row.name, row.definition]))
  return {
    tables: Object.fromEntries(
      tables.map(({ object, name, definition }) => [
        object,
        { owner: name, rowSecurity: definition, policies: of(policies, object), grants: of(grants, object) },
      ]),
    ),
    sequences: Object.fromEntries(sequences.map(({ name, definition }) => [name, definition])),
    functions: Object.fromEntries(functions.map(({ name, definition }) => [name, definition])),
  }
}

const ours = 'current_schema()::regnamespace'
const roleName = (oid: string) =>
  `case when ${oid} = current_user::regrole then 'migrator' when ${oid} = 0 then 'everybody' else ${oid}::regrole::text end`

const tableOwners = `
  select c.relname as object, ${roleName('c.relowner')} as name,
    concat_ws(', ', case when c.relrowsecurity then 'on' else 'off' end, case when c.relforcerowsecurity then 'forced' end) as definition
  from pg_class c where c.relnamespace = ${ours} and c.relkind in ('r', 'p', 'v') order by c.relname collate "C"`

const policyDefinitions = `
  select c.relname as object, p.polname as name, concat_ws(' ',
    case when p.polpermissive then 'permissive' else 'restrictive' end,
    'for ' || case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    'to ' || (select string_agg(${roleName('r')}, ', ') from unnest(p.polroles) r),
    'using ' || regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\\s+', ' ', 'g'),
    'with check ' || regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\\s+', ' ', 'g')) as definition
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace = ${ours} order by c.relname collate "C", p.polname collate "C"`

// What the owner may do is no grant; 17 has one privilege more.
const tableGrants = `
  select object, name, string_agg(privilege, ', ' order by privilege collate "C") as definition from (
    select c.relname as object, ${roleName('a.grantee')} as name,
      lower(a.privilege_type) || coalesce(' (' || string_agg(l.attname, ', ' order by l.attname) || ')', '') as privilege
    from pg_class c, lateral (
      select null::name as attname, c.relacl as acl
      union all select attname, attacl from pg_attribute where attrelid = c.oid) l, aclexplode(l.acl) a
    where c.relnamespace = ${ours} and c.relkind in ('r', 'p', 'v') and a.grantee <> c.relowner
    group by c.relname, a.grantee, a.privilege_type, l.attname is null) g
  group by object, name order by object collate "C", name collate "C"`

const sequenceGrants = `
  select '' as object, c.relname as name, concat_ws(', ', 'owner ' || ${roleName('c.relowner')}, (
      select string_agg(lower(a.privilege_type) || ' for ' || ${roleName('a.grantee')}, ', ' order by a.privilege_type, ${roleName('a.grantee')} collate "C")
      from aclexplode(c.relacl) a where a.grantee <> c.relowner)) as definition
  from pg_class c where c.relnamespace = ${ours} and c.relkind = 'S' order by c.relname collate "C"`

const functionSecurity = `
  select '' as object, p.oid::regprocedure::text as name, concat_ws(', ',
    'owner ' || ${roleName('p.proowner')}, case when p.prosecdef then 'security definer' end,
    case when p.prosqlbody is not null then 'begin atomic' end,
    (select string_agg(replace(s, current_schema(), '<schema>'), ', ') from unnest(p.proconfig) s),
    'for ' || coalesce((
      select string_agg(${roleName('a.grantee')}, ', ' order by ${roleName('a.grantee')} collate "C")
      from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee <> p.proowner), 'nobody')) as definition
  from pg_proc p
  where p.pronamespace = ${ours} and not exists (select from pg_depend x where x.classid = 'pg_proc'::regclass and x.objid = p.oid and x.deptype = 'e')
  order by p.oid::regprocedure::text collate "C"`
