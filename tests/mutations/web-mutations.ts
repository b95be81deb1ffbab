import { edit, type Mutation } from './mutation.ts'

const web = 'packages/jobs-admin/src/lib/server'
const csrf = 'apps/admin/test/csrf.test.ts'

/** What keeps other sites and other users out of the admin page. */
export const webMutations: readonly Mutation[] = [
  {
    name: 'origin of a request to the admin page',
    edits: [edit(`${web}/http/guard.ts`, 'return foreignOrigin(facts) ?? wrongType(', 'return wrongType(')],
    tests: [{ file: csrf, name: 'of 200 requests to' }],
  },
  {
    name: 'content type of an action of the admin page',
    edits: [
      edit(`${web}/http/guard.ts`, "foreignOrigin(facts) ?? wrongType(facts.headers.get('content-type'), body)", 'foreignOrigin(facts)'),
    ],
    tests: [{ file: csrf, name: 'of 200 requests to' }],
  },
  {
    name: 'origin of the admin server',
    edits: [edit('apps/admin/src/server/pin-origin.mjs', 'headers[HOST_HEADER] = origin.host', 'headers[HOST_HEADER] ??= origin.host')],
    tests: [{ file: csrf, name: 'do not make another origin ours' }],
  },
  {
    name: 'demo users where others come',
    edits: [
      edit(
        'apps/admin/src/server/server-settings.mjs',
        "env.ADMIN_DEMO_PUBLIC !== '1' && reachable",
        "env.ADMIN_DEMO_PUBLIC === '0' && reachable",
      ),
    ],
    tests: [{ file: 'apps/admin/test/refused-start.test.ts', name: 'without an origin that can be right the server does not start' }],
  },
  {
    name: 'right to see the admin page',
    edits: [edit(`${web}/admit.ts`, '(inquiry.event, identity, right)) === true', '(inquiry.event, identity, right)) !== undefined')],
    tests: [{ file: 'apps/admin/test/pages.test.ts', name: 'sends to the sign-in, and lets in who may see it' }],
  },
  {
    name: 'right to act of a form on the admin page',
    edits: [edit(`${web}/page/ask-route.ts`, 'admit(inquiry, found.route.right)', "admit(inquiry, 'view')")],
    tests: [{ file: 'packages/jobs-admin/test/page.test.ts', name: 'do what the endpoint does, and only for who has the right to act' }],
  },
  {
    name: 'markup in the reason of a pause',
    edits: [
      edit(
        'packages/jobs-admin/src/lib/page/screens/pauses.svelte',
        "{pause.reason ? visibleLine(pause.reason, 300) : '–'}",
        '{@html pause.reason}',
      ),
    ],
    tests: [{ file: 'apps/admin/test/browser/hostile-texts.test.ts', name: 'run nothing, with the content security policy switched off' }],
  },
  {
    name: 'secrets in what a view tells',
    edits: [edit(`${web}/results/budget.ts`, 'const clean = maskText(given)', 'const clean = String(given)')],
    tests: [{ file: 'packages/jobs-admin/test/result.test.ts', name: 'holds no secret, wherever a view has put it' }],
  },
  {
    name: 'collection of a transcript that a page shows',
    edits: [
      edit(
        'packages/jobs-kit/src/storage/transcripts/read-first-segments.ts',
        "    .where('collection_node_id', '=', collectionNodeId)\n",
        '',
      ),
    ],
    tests: [{ file: 'packages/jobs-kit/test/view/read-for-page.test.ts', name: 'nothing of another collection, whoever reads' }],
  },
]
