import type { AdoptionStep } from './adoption.ts'
import { columnsToNarrow, relation, shapeOf } from './catalogue.ts'
import type { CatalogueFacts, RowFacts } from './facts.ts'
import { makesFirstNode } from './find-row-problems.ts'

/** What the choice of steps depends on. */
interface Situation {
  facts: CatalogueFacts
  rows: RowFacts
  collectionNodeId: string | undefined
  applied: ReadonlySet<string>
  total: number
  bytes: number
}

interface StepSpec extends Pick<AdoptionStep, 'name' | 'does' | 'part'> {
  /** Default: what all steps of the takeover work under; null for others. */
  lock?: string
  /** Default: everything in the takeover, else nothing. */
  blocks?: AdoptionStep['blocks']
  /** Default: always. */
  needed?: (situation: Situation) => boolean
  /** Default 0. */
  rows?: (situation: Situation) => number
  /** Default: `rows` at 5 µs each. */
  ms?: (situation: Situation) => number
}

const exclusive = 'ACCESS EXCLUSIVE on job_queue'
const shared = 'SHARE UPDATE EXCLUSIVE on job_queue'

/** Measured on two busy cores with 1,000,000 jobs in 430 MB: 10 s of lock on 18, 5 s on 15. */
const rewriteMs = ({ total, bytes }: Situation) => Math.max(total * 0.0036, bytes / 80_000)
const indexesMs = ({ total }: Situation) => total * 0.004
const scanMs = ({ total, bytes }: Situation) => Math.max(total * 0.0008, bytes / 500_000)
const everyRow = ({ total }: Situation) => total

const specs: readonly StepSpec[] = [
  {
    ...{ name: 'queue/adopt/0001_cancelled_status', does: 'add the status cancelled', part: 'before' },
    needed: ({ facts }) => !facts.statusType?.labels?.includes('cancelled'),
  },
  {
    // Apart from the takeover, since a foreign key to the host's nodes locks them as long as its transaction lasts.
    ...{ name: 'queue/0001_host_tables', does: 'make nodes, edges and node_access where they are missing', part: 'before' },
    needed: ({ applied }) => !applied.has('queue/0001_host_tables'),
    lock: 'SHARE ROW EXCLUSIVE on nodes',
    blocks: 'writing',
  },
  {
    ...{ name: 'queue/adopt/0002_lock_queue', does: 'lock the queue, drop idx_job_queue_pending', part: 'takeover' },
  },
  {
    ...{ name: 'queue/adopt/0003_first_node', does: 'make the node of the collection that was named', part: 'takeover' },
    needed: ({ rows, collectionNodeId }) => makesFirstNode(rows, collectionNodeId),
    rows: () => 1,
  },
  {
    ...{ name: 'queue/adopt/0004_workspace_nodes', does: 'make a node of each workspace that has none', part: 'takeover' },
    needed: ({ rows }) => rows.tenants.newNodes > 0,
    rows: ({ rows }) => rows.tenants.newNodes,
  },
  {
    ...{ name: 'queue/adopt/0005_tenant_added', does: 'add collection_node_id, for all jobs the one that was named', part: 'takeover' },
    needed: ({ facts }) => shapeOf(facts) === 'no tenant',
  },
  {
    ...{ name: 'queue/adopt/0006_tenant_renamed', does: 'call workspace_id collection_node_id', part: 'takeover' },
    needed: ({ facts }) => shapeOf(facts) === 'workspace_id',
  },
  {
    ...{ name: 'queue/adopt/0007_tenant_filled', does: 'give jobs without a tenant to the collection that was named', part: 'takeover' },
    needed: ({ facts, rows }) => shapeOf(facts) !== 'no tenant' && rows.tenants.withoutTenant > 0,
    rows: ({ rows }) => rows.tenants.withoutTenant,
  },
  {
    ...{ name: 'queue/adopt/0008_narrow_columns', does: 'change integer columns to smallint, varchar to text', part: 'takeover' },
    needed: ({ facts }) => columnsToNarrow(facts).length > 0,
    rows: everyRow,
    ms: rewriteMs,
  },
  {
    ...{ name: 'queue/adopt/0009_final_times', does: 'give finished jobs without completed_at one', part: 'takeover' },
    needed: ({ rows }) => rows.untimed > 0,
    rows: ({ rows }) => rows.untimed,
  },
  {
    ...{ name: 'queue/adopt/0010_columns', does: 'add the new columns, which writes the table anew', part: 'takeover' },
    rows: everyRow,
    ms: rewriteMs,
  },
  {
    ...{ name: 'queue/0002_job_queue', does: 'make the indexes, job_workers, job_attempts and job_steps', part: 'takeover' },
    rows: everyRow,
    ms: indexesMs,
  },
  {
    ...{ name: 'queue/adopt/0011_interrupted_runs', does: 'make running jobs due again, with a row in job_attempts', part: 'takeover' },
    needed: ({ rows }) => (rows.jobs.running ?? 0) > 0,
    rows: ({ rows }) => rows.jobs.running ?? 0,
  },
  {
    ...{ name: 'queue/adopt/0012_waiting_order', does: 'number waiting jobs in the order they were enqueued', part: 'takeover' },
    rows: ({ rows }) => (rows.jobs.pending ?? 0) + (rows.jobs.retry ?? 0) + (rows.jobs.running ?? 0),
  },
  {
    ...{ name: 'queue/adopt/0013_foreign_key', does: 'make the foreign key to nodes, unchecked; drop the old one', part: 'after' },
    lock: 'SHARE ROW EXCLUSIVE on job_queue and nodes; ACCESS EXCLUSIVE on both tables of an old key',
    blocks: 'everything',
  },
  {
    ...{ name: 'queue/adopt/0014_foreign_key_valid', does: 'check the foreign key for old jobs', part: 'after' },
    lock: shared,
    rows: everyRow,
    ms: scanMs,
  },
  {
    ...{ name: 'queue/adopt/0015_payload_size_valid', does: 'check the size of old payloads', part: 'after' },
    lock: shared,
    rows: everyRow,
    ms: scanMs,
  },
  {
    ...{ name: 'queue/adopt/0016_result_size_valid', does: 'check the size of old results', part: 'after' },
    lock: shared,
    rows: everyRow,
    ms: scanMs,
  },
  {
    ...{ name: 'queue/adopt/0017_statistics', does: 'vacuum and analyze the table', part: 'after' },
    lock: shared,
    rows: everyRow,
    ms: scanMs,
  },
]

/** The last part, which each later run of the migrator makes complete. */
export const AFTER_STEPS: readonly string[] = specs.filter(({ part }) => part === 'after').map(({ name }) => name)

/** The steps this table needs, in order. */
export function planSteps(
  facts: CatalogueFacts,
  rows: RowFacts,
  { collectionNodeId, applied }: { collectionNodeId: string | undefined; applied: ReadonlySet<string> },
): AdoptionStep[] {
  const total = Object.values(rows.jobs).reduce((sum, jobs) => sum + jobs, 0)
  const situation = { facts, rows, collectionNodeId, applied, total, bytes: relation(facts, 'job_queue')?.bytes ?? 0 }
  return specs.filter(({ needed }) => needed?.(situation) ?? true).map((spec) => toStep(spec, situation))
}

function toStep({ name, does, part, rows, ms, ...spec }: StepSpec, situation: Situation): AdoptionStep {
  const affected = rows?.(situation) ?? 0
  return {
    ...{ name, does, part },
    lock: spec.lock ?? (part === 'takeover' ? exclusive : null),
    blocks: spec.blocks ?? (part === 'takeover' ? 'everything' : 'nothing'),
    rows: affected,
    estimateMs: Math.ceil(ms?.(situation) ?? affected * 0.005),
  }
}
