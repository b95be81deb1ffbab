import type pg from 'pg'

const collections = 200
const batch = 500_000

/** Who asks: users of one collection, of three, and of all two hundred. */
export const users = {
  one: '5a1de11a-0000-4000-8000-000000000001',
  three: '5a1de11a-0000-4000-8000-000000000003',
  all: '5a1de11a-0000-4000-8000-000000000200',
} as const

/**
 * Fills the queue as years would: finished jobs of ten types spread over all collections and ninety days, with 2,000 waiting, 30 running, and of a
 * million 2,000 failed and 500 cancelled. Indexes are built at the end; nothing else is left out.
 */
export async function fill(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(`insert into nodes (kind, title) select 'collection', 'Collection ' || n from generate_series(1, ${collections}) n`)
  await pool.query(`
    insert into node_access (user_id, node_id, role)
    select u.id::uuid, n.id, 'owner' from (select id, row_number() over (order by title) as place from nodes) n,
      (values ('${users.one}', 1), ('${users.three}', 3), ('${users.all}', ${collections})) u (id, most)
    where n.place <= u.most`)
  await pool.query(`
    insert into job_workers (id, host, types, slots, lease_expires_at)
    select gen_random_uuid(), 'bench', array(select 'type_' || t from generate_series(0, 9) t), 10, now() + interval '1 day' from generate_series(1, 3)`)
  const { rows: indexes } = await pool.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'job_queue' and indexname not in (select conname from pg_constraint)`,
  )
  for (const { indexname } of indexes) await pool.query(`drop index ${indexname}`)
  for (let from = 0; from < rows; from += batch) await insert(pool, from, Math.min(batch, rows - from), rows)
  await insertUnfinished(pool)
  for (const { indexdef } of indexes) await pool.query(indexdef)
  await pool.query('vacuum analyze job_queue')
}

async function insert(pool: pg.Pool, from: number, count: number, rows: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into job_queue (collection_node_id, job_type, payload, status, result, error_msg, error_group, attempts, run, created_at, started_at, completed_at, scheduled_for)
       select c.ids[1 + n % ${collections}], 'type_' || case when n % 20000 = 0 then 9 else n % 9 end,
         jsonb_build_object('mediaNodeId', gen_random_uuid(), 'path', 'show/episode-' || n || '.mp3', 'note', repeat('x', 180)),
         s.status::job_status, case when s.status = 'completed' then '{"segments": 12}'::jsonb end,
         case when s.status = 'error' then 'gateway answered 503 after ' || n || ' ms' end,
         case when s.status = 'error' then md5((n / 500 % 12)::text) end, 1, 1, t.at, t.at, t.at, t.at
       from (select array(select id from nodes order by title) as ids) c, generate_series($1::bigint, $1::bigint + $2 - 1) n,
         lateral (select now() - interval '90 days' * (1 - n::float8 / $3) as at) t,
         lateral (select case when n % 500 = 1 then 'error' when n % 2000 = 2 then 'cancelled' else 'completed' end as status) s`,
      [from, count, rows],
    )
    await client.query('set session_replication_role = default')
  } finally {
    client.release()
  }
}

async function insertUnfinished(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, status, created_at, scheduled_for)
     select c.ids[1 + n % ${collections}], 'type_' || n % 9, '{}', case when n % 10 = 0 then 'retry' else 'pending' end::job_status,
       now() - n * interval '1 second', now() - n * interval '1 second'
     from (select array(select id from nodes order by title) as ids) c, generate_series(1, 2000) n`,
  )
  await pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, status, attempts, run, claim, worker_id, created_at, started_at)
     select c.ids[1 + n % ${collections}], 'type_' || n % 9, '{}', 'running', 1, 1, n, w.ids[1 + n % 3], now() - interval '60 days', now()
     from (select array(select id from nodes order by title) as ids) c, (select array(select id from job_workers) as ids) w, generate_series(1, 30) n`,
  )
}
