import { core, edit, type Mutation, test } from './mutation.ts'

const endpoints = 'packages/jobs-admin/test/endpoints.test.ts'
const walls = 'packages/jobs-admin/test/other-walls.test.ts'

/** What keeps a person's actions to what they may do, and leaves a trace of them. */
export const adminMutations: readonly Mutation[] = [
  ...(['retry', 'cancel'] as const).flatMap((action) => [
    {
      name: `tenant of a ${action}: the caller's scope`,
      edits: [
        edit(
          'migrations/queue/0020_admin_actions.sql',
          `    and (${action}_job.collections is null or q.collection_node_id = any (${action}_job.collections))\n    and (may_see is null or q.collection_node_id = any (may_see))\n  for no key update`,
          `    and (may_see is null or q.collection_node_id = any (may_see))\n  for no key update`,
        ),
      ],
      tests: [
        test(
          'admin.test.ts',
          action === 'retry' ? 'of a job outside the scope finds none, whatever its state' : 'of a job outside the scope finds none',
        ),
      ],
    },
    {
      name: `tenant of a ${action}: whoever may only see`,
      edits: [
        edit(
          'migrations/queue/0020_admin_actions.sql',
          `    refusal := 'JOB_FORBIDDEN';\n  else\n    ${action === 'retry' ? 'begin' : 'update'}`,
          `    refusal := null;\n  end if;\n  if refusal is null then\n    ${action === 'retry' ? 'begin' : 'update'}`,
        ),
      ],
      tests: [{ file: endpoints, name: 'retries and cancels: 200, 202, 404, 409 and 403, each of them noted' }],
    },
  ]),
  {
    name: 'tenant of a list',
    edits: [
      edit(
        `${core}/src/admin/list/walk-jobs.ts`,
        "select unnest(${p('collections')}::uuid[])) c",
        "select id from nodes where ${p('collections')}::uuid[] is not null) c",
      ),
    ],
    tests: [test('admin-list.test.ts', "shows the scope's jobs and no others, in pages, filters and counts")],
  },
  {
    name: 'tenant of a bulk action: whose it is',
    edits: [
      edit(
        'migrations/queue/0022_job_bulk_actions.sql',
        'where b.id = run_bulk_action.id\n    and (job_action_scope(true) is null or b.actor = job_actor(null))',
        'where b.id = run_bulk_action.id',
      ),
    ],
    tests: [{ file: endpoints, name: 'on many: what was previewed, and a receipt' }],
  },
  {
    name: 'audit of a refusal',
    edits: [edit(`packages/jobs-admin/src/lib/server/user-session.ts`, "if (!isJobsError(error, 'queue')) throw error", 'throw error')],
    tests: [{ file: endpoints, name: 'retries and cancels: 200, 202, 404, 409 and 403, each of them noted' }],
  },
  {
    name: 'tenant of what workers run',
    edits: [
      edit(
        `${core}/src/admin/workers/list-workers.ts`,
        "         and (${p('collections')}::uuid[] is null or r.collection_node_id = any(${p('collections')}::uuid[])))::int as running",
        "         and (${p('collections')}::uuid[] is null or true))::int as running",
      ),
    ],
    tests: [test('admin/workers.test.ts', 'of what a worker runs only the scope’s jobs are counted')],
  },
  {
    name: 'what a service answered, kept from users',
    edits: [
      edit(
        'migrations/queue/0025_explain_job.sql',
        "'error', case when nullif(current_setting('app.user_id', true), '') is null then d.error_msg end,",
        "'error', d.error_msg,",
      ),
    ],
    tests: [{ file: walls, name: 'why a job waits says which service is down, and not what that answered to whomever' }],
  },
  {
    name: 'whose audit a resume is written into',
    edits: [
      edit(
        'migrations/queue/0021_audited_pauses.sql',
        '$1, case when is_theirs or $2 = any (may_see) then $2 end, left($4, 1000)',
        '$1, $2, left($4, 1000)',
      ),
    ],
    tests: [{ file: walls, name: 'nobody writes into the audit of a collection that is not theirs' }],
  },
  {
    name: 'forgetting who asked',
    edits: [
      edit(
        `${core}/src/admin/access/as-user.ts`,
        "set_config('app.user_id', ${userId}, true)",
        "set_config('app.user_id', ${userId}, false)",
      ),
    ],
    tests: [{ file: 'packages/jobs-admin/test/shared-connections.test.ts', name: 'no connection remembers anybody' }],
  },
]
