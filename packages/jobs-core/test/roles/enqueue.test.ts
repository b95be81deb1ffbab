import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany } from '../../src/index.ts'
import { clearQueue } from '../../src/testing/index.ts'
import { type GroupRole, useRoles } from '../support/use-roles.ts'

const roles = useRoles()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const nowhere = '01900000-0000-7000-8000-00000000dead'
const count = async () => (await roles.database.query<{ count: number }>('select count(*)::int from job_queue')).rows[0]?.count
const call = (collection: string, more = '') => `select * from enqueue_job('${collection}', 'a_job', '{}'${more})`

afterEach(() => clearQueue(roles.database))

describe('enqueue_job', () => {
  test.each<GroupRole>(['queue_enqueue', 'queue_worker', 'queue_owner', 'queue_migrator'])(
    'takes jobs of any collection from %s',
    async (role) => {
      for (const collectionNodeId of [roles.mine, roles.theirs]) {
        await enqueue(roles.as(role), definition, 1, { collectionNodeId })
        await enqueueMany(roles.as(role), definition, [{ payload: 1 }, { payload: 2, priority: 10, unique: { key: 'k' } }], {
          collectionNodeId,
        })
      }
      expect(await count()).toBe(6)
    },
  )

  test.each<GroupRole>(['queue_metrics', 'queue_backup'])('is not for %s', async (role) => {
    await expect(roles.as(role).query(call(roles.mine))).rejects.toMatchObject({ code: '42501' })
  })

  test('takes from queue_web only for a user who may act in the collection', async () => {
    await expect(roles.forUser(null, call(roles.mine))).rejects.toMatchObject({ code: 'JQ002' })
    await expect(roles.forUser(roles.viewer, call(roles.mine))).rejects.toMatchObject({ code: 'JQ002' })
    await expect(roles.forUser(roles.owner, call(roles.theirs))).rejects.toMatchObject({ code: 'JQ002' })
    expect(await count()).toBe(0)
    await roles.forUser(roles.owner, call(roles.mine))
    expect(await count()).toBe(1)
  })

  test('asks for the role that was set, not for the one that logged in', async () => {
    const client = await roles.database.pool.connect()
    try {
      await client.query('set role queue_web')
      await expect(client.query(call(roles.mine))).rejects.toMatchObject({ code: 'JQ002' })
      await client.query('set role queue_enqueue')
      await client.query(call(roles.mine))
    } finally {
      await client.query('reset role')
      client.release()
    }
    expect(await count()).toBe(1)
  })

  test('with app.user_id is bound by it, whoever calls', async () => {
    const client = await roles.as('queue_enqueue').connect()
    try {
      await client.query(`select set_config('app.user_id', '${roles.viewer}', false)`)
      await expect(client.query(call(roles.mine))).rejects.toMatchObject({ code: 'JQ002' })
    } finally {
      client.release(true)
    }
  })

  test('gives one answer for a collection that is missing and one of others', async () => {
    const answers = await Promise.all(
      [roles.theirs, nowhere].map((id) =>
        roles.forUser(roles.owner, call(id)).catch(({ message, code, detail }) => ({ message: message.replace(id, '…'), code, detail })),
      ),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ code: 'JQ002', detail: undefined })
    const errors = await Promise.all(
      [roles.theirs, nowhere].map(async (collectionNodeId) => {
        const client = await roles.as('queue_web').connect()
        await client.query(`select set_config('app.user_id', '${roles.owner}', false)`)
        return enqueue(client, definition, 1, { collectionNodeId })
          .catch((error) => error)
          .finally(() => client.release(true))
      }),
    )
    expect(errors[0]).toMatchObject({ code: 'COLLECTION_NOT_FOUND', kind: 'queue' })
    expect(errors[0].message).toBe(errors[1].message)
  })

  test('tells a stranger nothing about a unique key that is held', async () => {
    await enqueue(roles.database.pool, definition, 1, { collectionNodeId: roles.theirs, unique: { key: 'secret' } })
    await expect(roles.forUser(roles.owner, call(roles.theirs, `, unique_key => 'secret'`))).rejects.toMatchObject({ code: 'JQ002' })
  })

  test('prints no row when a check fails, and no key when the collection is missing', async () => {
    const canary = 'canary-3f9a'
    const tooLarge = roles
      .as('queue_enqueue')
      .query(`select * from enqueue_job($1, 'a_job', jsonb_build_object('secret', $2::text || repeat('x', 200000)))`, [roles.mine, canary])
    const error = await tooLarge.catch((thrown) => thrown)
    expect(error).toMatchObject({ code: '23514', constraint: 'job_queue_payload_size' })
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(canary)
    const missing = await roles
      .as('queue_enqueue')
      .query(call(nowhere))
      .catch((thrown) => thrown)
    expect(missing).toMatchObject({ code: '23503' })
    expect(JSON.stringify({ ...missing, message: missing.message, where: '' })).not.toContain(nowhere)
  })
})

describe('functions that run as their owner', () => {
  /** One line of a caller who wants to be an owner in our eyes: a table of the same name stands before ours. */
  const attack = (client: pg.PoolClient) =>
    client.query(`
      select set_config('app.user_id', '${roles.viewer}', false);
      create temporary table node_access as select '${roles.viewer}'::uuid as user_id, '${roles.mine}'::uuid as node_id, 'owner' as role;
      create temporary table job_queue (like public.job_queue including identity including generated);
      create temporary table job_workers (id uuid);
      grant all on node_access, job_queue, job_workers to public;
      set search_path = pg_temp, public`)

  test('do not take temporary tables for ours', () =>
    attacking(async (client) => {
      await attack(client)
      await expect(client.query(call(roles.mine))).rejects.toMatchObject({ code: 'JQ002' })
      await client.query(`select set_config('app.user_id', '${roles.owner}', false)`)
      await client.query(call(roles.mine, ', priority => 10::smallint'))
      expect(await count()).toBe(1)
    }))

  test('would, without a fixed path: the attack is one', async () => {
    await roles.database.query(`
      create function naive() returns bigint language sql security definer as
        $$ select count(*) from node_access where user_id = current_setting('app.user_id')::uuid and role = 'owner' $$;
      alter function naive() owner to queue_owner`)
    await attacking(async (client) => {
      await attack(client)
      expect((await client.query('select naive()')).rows).toEqual([{ naive: '1' }])
    })
    await roles.database.query('drop function naive()')
  })

  test('do not take a temporary function or operator for one of PostgreSQL', () =>
    attacking(async (client) => {
      const hijack = 'returns boolean language plpgsql as $$ begin raise exception $m$hijacked$m$; end $$'
      await client.query(`
        select set_config('app.user_id', '${roles.owner}', false);
        create function pg_temp.cardinality(uuid[]) ${hijack};
        create function pg_temp.eq(uuid, uuid) ${hijack};
        create operator pg_temp.= (leftarg = uuid, rightarg = uuid, function = pg_temp.eq);
        set search_path = pg_temp, pg_catalog, public`)
      await client.query(call(roles.mine, `, unique_key => 'k'`))
      expect(await count()).toBe(1)
    }))

  test('have a fixed path on which nobody else can put anything, and are not for everybody', async () => {
    const { rows } = await roles.database.query<{
      name: string
      path: string | null
      atomic: boolean
      owner: string
      everybody: boolean
      open: string[]
    }>(`
      select p.oid::regprocedure::text as name, p.prosqlbody is not null as atomic, p.proowner::regrole::text as owner,
        has_function_privilege('public', p.oid, 'execute') as everybody,
        (select split_part(c, '=', 2) from unnest(p.proconfig) c where c like 'search_path=%') as path,
        array(select r.rolname::text from pg_roles r, unnest(p.proconfig) c, unnest(string_to_array(split_part(c, '=', 2), ', ')) s
          where r.rolname ~ '^queue_' and r.rolname not in ('queue_owner', 'queue_migrator') and c like 'search_path=%' and s not in ('pg_temp', 'pg_catalog')
            and has_schema_privilege(r.oid, s, 'create')) as open
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef
        -- Of handlers, whose roles are not installed here: migrations/security.snapshot.json has them.
        and p.proname !~ '^enqueue_suggest_edges'`)
    expect(rows.map(({ name }) => name.replace(/\(.*/, '')).toSorted()).toEqual([
      'abort_bulk_action',
      'admit_service_call',
      'cancel_job',
      'count_finished_jobs',
      'count_live_jobs',
      'enqueue_job',
      'enqueue_jobs',
      'explain_job_snapshot',
      'few_jobs_wait',
      'few_waiting_jobs',
      'freeze_bulk_action',
      'ignore_errors',
      'job_action_scope',
      'job_actor',
      'job_enqueue_scope',
      'job_metrics',
      'job_pause_scope',
      'job_user_access',
      'job_user_collections',
      'job_user_roles',
      'newest_jobs',
      'note_job_action',
      'park_paused_jobs',
      'pause_jobs',
      'read_job_activity',
      'read_job_durations',
      'record_service_call',
      'renew_service_probe',
      'resume_jobs',
      'resume_jobs',
      'retry_job',
      'run_bulk_action',
      'tell_job_page',
      'unignore_errors',
      'unpark_jobs',
      'wake_at_commit',
      'wake_on_insert',
      'watch_job_page',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ owner: 'queue_owner', everybody: false, open: [] })
      if (!row.atomic) expect(row.path).toBe('public, pg_temp')
    }
  })
})

/** A connection of queue_web that is thrown away afterwards. */
async function attacking(use: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await roles.as('queue_web').connect()
  await use(client).finally(() => client.release(true))
}
