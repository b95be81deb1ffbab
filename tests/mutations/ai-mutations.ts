import { edit, type Mutation } from './mutation.ts'

const host = 'packages/jobs-kit/src/storage/host'
const hostTests = 'packages/jobs-kit/test/host/derived-nodes.test.ts'
const minutes = 'packages/handler-meeting-summarize'
const summary = 'packages/handler-summarize-communication'
const profile = 'packages/handler-valgomat-generate-profile'
const evaluation = 'packages/handler-prompt-eval'

/** What keeps a model, and whoever wrote what it reads, from more than they may. */
export const aiMutations: readonly Mutation[] = [
  {
    name: 'tenant of the messages of a chat',
    edits: [edit(`${host}/list-messages.ts`, '      and ${inCollectionAsSource(sql`${nodeId}::uuid`, collectionNodeId)}\n', '')],
    tests: [{ file: hostTests, name: 'messages are the newest in their order, of a chat of the collection only' }],
  },
  {
    name: 'tenant of an edge between two nodes',
    edits: [edit(`${host}/insert-edge-between.ts`, " and ${inCollection(sql.ref('nodes.id'), collectionNodeId)}", '')],
    tests: [{ file: hostTests, name: 'an edge joins two nodes of the collection, once, and none that is another’s or gone' }],
  },
  {
    name: 'what somebody has edited of a node that a job made',
    edits: [
      edit(
        `${host}/upsert-unedited-node.ts`,
        "'written'] is distinct from ${stands}",
        "'written'] is distinct from nodes.metadata #>> array[${key}::text, 'written'] || ${stands}",
      ),
    ],
    tests: [{ file: hostTests, name: 'a node is replaced until somebody edits title or content, then the new ones stand beside it' }],
  },
  {
    name: 'access to a summary that its chat does not give',
    edits: [edit(`${summary}/src/handler.ts`, "ownedBy: 'has_summary'", "ownedBy: 'contains'")],
    tests: [
      {
        file: `${summary}/test/access.test.ts`,
        name: 'a summary is read by whoever reads the chat, and by nobody else, whoever takes part in it',
      },
    ],
  },
  {
    name: 'owners that are not known',
    edits: [edit(`${minutes}/src/check-minutes.ts`, 'return isNamed ? owner : null', 'return owner ?? owner_name')],
    tests: [{ file: `${minutes}/test/minutes.test.ts`, name: 'name as owners none but who is known' }],
  },
  {
    name: 'due dates that a model computes',
    edits: [
      edit(`${minutes}/src/check-minutes.ts`, 'return { dueDate: computed, dueText }', 'return { dueDate: computed ?? due_date, dueText }'),
    ],
    tests: [
      { file: `${minutes}/test/minutes.test.ts`, name: 'compute no due date without the day of the meeting, which its node may tell' },
    ],
  },
  {
    name: 'quotes that stand on another page',
    edits: [edit(`${profile}/src/check-stances.ts`, 'sentencesOn(page)', 'pages.flatMap((_, at) => sentencesOn(at + 1))')],
    tests: [{ file: `${profile}/test/profile.test.ts`, name: 'has null for a stance' }],
  },
  {
    name: 'quotes that were found for another statement',
    edits: [edit(`${profile}/src/generate-profile.ts`, 'quoted.get(id)?.some(', '[...quoted.values()].flat()?.some(')],
    tests: [{ file: `${profile}/test/profile.test.ts`, name: 'is settled by nothing but the quotes of that statement' }],
  },
  {
    name: 'stances that nothing bears out',
    edits: [edit(`${profile}/src/check-stances.ts`, ' || kept.length === 0', '')],
    tests: [{ file: `${profile}/test/profile.test.ts`, name: 'has null for a stance' }],
  },
  {
    name: 'cost cap of an evaluation',
    edits: [
      edit(
        'packages/jobs-kit/src/gateway/check-budget.ts',
        'maxJobUsd === undefined || job < maxJobUsd',
        'maxJobUsd === undefined || true',
      ),
    ],
    tests: [{ file: `${evaluation}/test/evaluation.test.ts`, name: 'the cap stops before the next call that is paid' }],
  },
  {
    name: 'costs that are not told under a cap',
    edits: [edit(`${evaluation}/src/ask-cell.ts`, 'payload.maxCostUsd !== null && isUntold(made.facts)', 'false && isUntold(made.facts)')],
    tests: [{ file: `${evaluation}/test/evaluation.test.ts`, name: 'under a cap a call whose cost is not told is the last one' }],
  },
  {
    name: 'quote of a judge who lets something pass',
    edits: [edit(`${evaluation}/src/judge.ts`, 'if (stands || !pass)', 'if (true)')],
    tests: [{ file: `${evaluation}/test/judge.test.ts`, name: 'passes what it cannot quote' }],
  },
  {
    name: 'quote of a judge who chooses',
    edits: [edit(`${evaluation}/src/choose-best.ts`, 'if (isBorneOut(quote, best))', 'if (quote || true)')],
    tests: [{ file: `${evaluation}/test/compare.test.ts`, name: 'is nothing where the judge chooses one' }],
  },
  {
    name: 'clock of a pattern that searches',
    edits: [edit(`${evaluation}/src/match-patterns.ts`, ', { timeout: ${mostMs} }', '')],
    tests: [{ file: `${evaluation}/src/match-patterns.test.ts`, name: 'one after which others are looked for' }],
  },
  {
    name: 'end of a pattern that is never compiled',
    edits: [
      edit(
        `${evaluation}/src/match-patterns.ts`,
        "timer = setTimeout(() => child.kill('SIGKILL'), silentMs)",
        'timer = setTimeout(() => undefined, silentMs)',
      ),
    ],
    tests: [{ file: `${evaluation}/src/match-patterns.test.ts`, name: 'what is never compiled' }],
  },
  {
    name: 'no code in a test',
    edits: [edit(`${evaluation}/src/assertions.ts`, "given !== 'not-select-best' &&", "given !== 'not-select-best' ||")],
    tests: [{ file: `${evaluation}/src/assertions.test.ts`, name: 'is refused' }],
  },
  {
    name: 'what a variable says is not looked into',
    edits: [edit(`${evaluation}/src/template.ts`, 'if (!Object.hasOwn(vars, name))', 'if (!(name in vars))')],
    tests: [{ file: `${evaluation}/test/odd-values.test.ts`, name: 'is no variable' }],
  },
  {
    name: 'tenant of stored outputs',
    edits: [
      edit('packages/jobs-kit/src/storage/evals/list-prompt-evals.ts', "    .where('collection_node_id', '=', collectionNodeId)\n", ''),
    ],
    tests: [{ file: `${evaluation}/test/view.test.ts`, name: 'rows of another collection are not shown' }],
  },
]
