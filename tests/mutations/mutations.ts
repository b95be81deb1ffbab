import { adminMutations } from './admin-mutations.ts'
import { aiMutations } from './ai-mutations.ts'
import { core, edit, type Mutation, test } from './mutation.ts'
import { pageMutations } from './page-mutations.ts'
import { vectorMutations } from './vector-mutations.ts'
import { webMutations } from './web-mutations.ts'

const src = `${core}/src`
const settleAndClaim = `${src}/queue/settle-and-claim.ts`
const claimCandidates = `${src}/queue/claim-candidates.ts`
const settleEndings = `${src}/queue/settle-endings.ts`
const settleWithWrite = `${src}/queue/settle-with-write.ts`
const rescueJobs = `${src}/queue/rescue-jobs.ts`
const serviceBreakers = 'migrations/queue/0018_service_breakers.sql'
const breakerTests = 'packages/jobs-kit/test/breaker'
const audio = 'packages/jobs-kit/src/audio'
const transcripts = 'packages/jobs-kit/src/storage/transcripts'

/** What the promises lean on, each taken away, and the tests that must notice. A new guard is an entry here. */
export const mutations: readonly Mutation[] = [
  ...adminMutations,
  {
    name: 'fence of a success',
    edits: [edit(settleAndClaim, 'where q.id = u.id and q.run = u.run and', 'where q.id = u.id and')],
    tests: [test('settle.test.ts', 'writes nothing')],
  },
  {
    name: 'fence of a failure',
    edits: [
      edit(settleEndings, 'r.id = e.id and r.run = e.run and', 'r.id = e.id and'),
      edit(settleEndings, 'q.id = f.id and q.run = f.run and', 'q.id = f.id and'),
    ],
    tests: [test('settle-endings.test.ts', 'writes nothing about a job that runs anew under another number')],
  },
  {
    name: 'fence of a write',
    edits: [
      edit(settleWithWrite, "and run = ${run.run} and status = 'running' for no key update", "and status = 'running' for no key update"),
      edit(
        settleWithWrite,
        "and run = ${run.run} and status = 'running' and current_setting",
        "and status = 'running' and current_setting",
      ),
    ],
    tests: [test('write.test.ts', 'write is not called: taken by another')],
  },
  {
    name: 'fence of a step',
    edits: [edit(`${src}/queue/save-step.ts`, " and run = ${p('run')}::int", '')],
    tests: [test('settle.test.ts', 'change nothing of the run that followed it')],
  },
  {
    name: 'fence of a progress',
    edits: [edit(`${src}/queue/save-progress.ts`, " and run = ${p('run')}::int", '')],
    tests: [test('settle.test.ts', 'change nothing of the run that followed it')],
  },
  {
    name: "mark of the write's own transaction",
    edits: [edit(settleWithWrite, " and current_setting('jobs.run', true) = ${mark(run)}", '')],
    tests: [test('write.test.ts', 'may not end the transaction by itself: commit; begin')],
  },
  {
    name: 'lease check of a claim',
    edits: [edit(settleAndClaim, ' and dead_at is null and lease_expires_at > clock_timestamp()', '')],
    tests: [test('claim.test.ts', 'takes nothing for a worker that is dead, expired or unknown')],
  },
  {
    name: 'lease check of a heartbeat',
    edits: [edit(`${src}/queue/renew-lease.ts`, ' and dead_at is null\n', '\n')],
    tests: [test('lease.test.ts', 'aborts its runs, writes nothing about them, registers anew and goes on')],
  },
  {
    name: 'lease check of a rescue',
    edits: [edit(`${src}/queue/mark-dead-workers.ts`, ' and lease_expires_at < clock_timestamp()', '')],
    tests: [test('lease.test.ts', 'leaves a lease that holds alone, however late its heartbeat comes')],
  },
  {
    name: "lock of a claim on its worker's row",
    edits: [edit(settleAndClaim, 'lease_expires_at > clock_timestamp()\n      for key share)', 'lease_expires_at > clock_timestamp())')],
    tests: [test('lease.test.ts', 'does not declare a worker dead in the middle of a claim, whose jobs would be lost')],
  },
  {
    name: 'attempts counted at the claim',
    edits: [edit(settleAndClaim, 'attempts = least(q.attempts, 32766) + 1', 'attempts = q.attempts')],
    tests: [test('claim.test.ts', 'counts the attempt and the run, and says who runs it since when')],
  },
  {
    name: 'attempt of what was only prefetched',
    edits: [
      edit(
        rescueJobs,
        'when l.prefetched then greatest(q.attempts - 1, 0) else q.attempts',
        'when l.prefetched then q.attempts else q.attempts',
      ),
    ],
    tests: [test('lease.test.ts', 'only prefetched')],
  },
  {
    name: 'note of what starts, at a rescue',
    edits: [edit(rescueJobs, 'q.claim <@ s.claims', 'false')],
    tests: [test('starts.test.ts', 'those that were cleared to start keep the attempt')],
  },
  {
    name: 'lease of who notes what starts',
    edits: [edit(settleAndClaim, '::bigint from me where', "::bigint from (select ${p('workerId')}::uuid as id) me where")],
    tests: [test('starts.test.ts', 'is refused to a worker that is dead')],
  },
  {
    name: 'condition by which an ending finds its row',
    edits: [
      edit(
        settleEndings,
        'from ended e cross join lateral (\n        select r.attempts',
        'from ended e cross join lateral (\n        select r.id, r.attempts',
      ),
      edit(settleEndings, "r.status = 'running' for no key update) q)", "r.status = 'running') q order by q.id)"),
    ],
    tests: [test('roles/plans.test.ts', 'settle endings')],
  },
  {
    name: 'SKIP LOCKED of a claim',
    edits: [edit(claimCandidates, "lookahead')}::int\n      for update skip locked)`", "lookahead')}::int\n      for update)`")],
    tests: [test('claim.test.ts', 'goes round a row that somebody has locked')],
  },
  {
    name: 'SKIP LOCKED of a rescue',
    edits: [edit(rescueJobs, 'limit 500\n        for update skip locked) j)', 'limit 500\n        for update) j)')],
    tests: [test('lease.test.ts', 'does not overwrite a job that is just being settled, and does not wait for it')],
  },
  // Where a client is checked out, as Kysely does; while pool.query has one, the pool itself listens.
  {
    name: 'error listener of the clients',
    edits: [
      edit(`${src}/database/survive-disconnects.ts`, "  pool.on('connect', (client) => client.on('error', ignore))\n", ''),
      edit(`${src}/database/connect-gate.ts`, "    client.on('error', () => {})\n", ''),
    ],
    tests: [test('write.test.ts', 'a connection that breaks inside the write is replaced, and the write done anew')],
  },
  {
    name: 'breaker: one probe at a time',
    edits: [
      edit(
        serviceBreakers,
        '\n      and (s.probe_id is null or s.probe_expires_at <= clock_timestamp())\n    returning',
        '\n    returning',
      ),
    ],
    tests: [{ file: `${breakerTests}/race.test.ts`, name: 'exactly one probes a service that is down; the others are put off' }],
  },
  {
    name: 'breaker: what began before it opened does not count',
    edits: [edit(serviceBreakers, '    where s.openings = $2 and s.opened_at is null;', '    where s.opened_at is null;')],
    tests: [{ file: `${breakerTests}/breaker.test.ts`, name: 'is not blamed for calls that began before it was back' }],
  },
  {
    name: 'breaker: types that need the service are left out',
    edits: [edit(`${src}/worker/service-gate.ts`, 'types: () => open,', 'types: () => types,')],
    tests: [test('services.test.ts', 'leaves types alone whose service is down, and goes on with the others')],
  },
  {
    name: 'tenant policy of the jobs',
    edits: [
      edit(
        'migrations/roles/0005_job_queue.sql',
        'on job_queue for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))))',
        'on job_queue for select to queue_web using (true)',
      ),
    ],
    tests: [test('roles/web.test.ts', 'for nobody, and for a stranger, sees nothing')],
  },
  {
    name: "tenant policy of the handlers' tables",
    edits: [
      edit(
        'migrations/roles/0015_foreign_updates.sql',
        "for insert to queue_worker with check (%s)', handler_table, own)",
        "for insert to queue_worker with check (true)', handler_table)",
      ),
    ],
    tests: [test('roles/write.test.ts', 'of another collection is refused for good: an insert')],
  },
  {
    name: "tenant of a row that is taken from the handlers' tables",
    edits: [edit('migrations/roles/0015_foreign_updates.sql', '  perform refuse_foreign_updates(handler_table);\n', '')],
    tests: [test('roles/write.test.ts', 'of another collection is refused for good: an upsert that takes it')],
  },
  {
    name: 'lock of a transcript whose files are made anew',
    edits: [edit('packages/handler-srt-parse/src/handler.ts', '  await lockTranscript(trx, collectionNodeId, mediaNodeId)\n', '')],
    tests: [{ file: 'packages/handler-srt-parse/test/handler.test.ts', name: 'made anew while a transcript is being replaced' }],
  },
  {
    name: 'tenant of a search in transcripts',
    edits: [edit(`${transcripts}/search-segments.ts`, 'where collection_node_id = ${collectionNodeId}::uuid and', 'where')],
    tests: [{ file: 'packages/jobs-kit/test/transcripts/segments.test.ts', name: 'of other collections and of other media nothing' }],
  },
  {
    name: 'tenant of whether there is a transcript',
    edits: [
      edit(
        `${transcripts}/has-transcript.ts`,
        'media_transcripts where collection_node_id = ${collectionNodeId}::uuid and',
        'media_transcripts where',
      ),
      edit(`${transcripts}/has-transcript.ts`, 'segments where collection_node_id = ${collectionNodeId}::uuid and', 'segments where'),
    ],
    tests: [
      { file: 'packages/jobs-kit/test/transcripts/segments.test.ts', name: 'a transcript in which nothing is said is one all the same' },
    ],
  },
  {
    name: 'containers that ffmpeg may open',
    edits: [
      edit(`${audio}/input.ts`, "['-protocol_whitelist', 'file', '-format_whitelist', list(formats)]", "['-protocol_whitelist', 'file']"),
    ],
    tests: [{ file: 'packages/jobs-kit/test/audio/hostile.test.ts', name: 'opens no other file and no address' }],
  },
  {
    name: 'what ffmpeg may allocate',
    edits: [edit(`${audio}/input.ts`, "['-v', 'error', '-max_alloc', String(maxAllocationBytes)]", "['-v', 'error']")],
    tests: [{ file: 'packages/jobs-kit/test/audio/hostile.test.ts', name: 'a cover that unpacks to hundreds of megabytes stays packed' }],
  },
  {
    name: 'end of ffmpeg when its job is aborted',
    edits: [edit(`${audio}/run-program.ts`, "  for (const stop of stops) stop.addEventListener('abort', kill, { once: true })\n", '')],
    tests: [{ file: 'packages/jobs-kit/test/audio/ending.test.ts', name: 'an abort before it begins, and in the middle' }],
  },
  ...(['get-job', 'count-jobs'] as const).map(
    (file): Mutation => ({
      name: `tenant of ${file}`,
      edits: [
        edit(
          `${src}/admin/${file}.ts`,
          "if (collections) query = query.where('collection_node_id', 'in', [...collections, nobody])",
          'void [collections, nobody]',
        ),
      ],
      tests:
        file === 'get-job'
          ? [test('admin.test.ts', 'reads a job of the scope, and no other')]
          : [test('admin-list.test.ts', "shows the scope's jobs and no others, in pages, filters and counts")],
    }),
  ),
  ...pageMutations,
  ...aiMutations,
  ...vectorMutations,
  ...webMutations,
]
