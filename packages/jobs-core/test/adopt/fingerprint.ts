/**
 * One value for everything a database holds: what the catalogue says of it, and each row with the transaction that wrote it. Equal
 * before and after means that nothing was made, changed, or written anew.
 */
export const fingerprint = `
  with ours as (
    select oid from pg_class where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and relnamespace::regnamespace::text !~ '^pg_')
  select md5(concat_ws(chr(10),
    (select string_agg(format('%s %s %s %s', c.oid, c.relname, c.relfilenode, c.reloptions), ',' order by c.oid)
     from pg_class c join ours using (oid)),
    (select string_agg(format('%s %s %s %s %s', a.attrelid, a.attnum, a.attname, a.atttypid, a.attnotnull), ',' order by a.attrelid, a.attnum)
     from pg_attribute a join ours on ours.oid = a.attrelid),
    (select string_agg(format('%s %s %s', k.oid, k.conname, k.convalidated), ',' order by k.oid) from pg_constraint k where k.connamespace > 16000 or k.connamespace = 'public'::regnamespace),
    (select string_agg(format('%s %s', e.enumtypid, e.enumlabel), ',' order by e.oid) from pg_enum e),
    (select string_agg(format('%s %s', p.oid, p.proname), ',' order by p.oid) from pg_proc p where p.oid > 16000),
    (select string_agg(query_to_xml(format('select xmin, ctid, r.*::text from %s r order by ctid', oid::regclass), true, false, '')::text, ',' order by oid)
     from pg_class join ours using (oid) where relkind = 'r')
  )) as value`
