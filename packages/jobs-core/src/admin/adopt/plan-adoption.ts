import type { PoolClient } from 'pg'
import type { Adoption, AdoptionProblem, AdoptOptions } from './adoption.ts'
import { relation, shapeOf } from './catalogue.ts'
import { describeDifferences } from './describe-differences.ts'
import type { CatalogueFacts } from './facts.ts'
import { findHostProblems } from './find-host-problems.ts'
import { findRowProblems, isUuid } from './find-row-problems.ts'
import { findTableProblems } from './find-table-problems.ts'
import { type Inspection, inspectQueue } from './inspect-queue.ts'
import { planSteps } from './plan-steps.ts'

/** A running job younger than this has a worker, or had one a moment ago. */
const RECENT_MS = 60_000

/** Problems that keep the rows from being read, or make what they say worthless. */
const hiding = new Set([
  ...['queue-elsewhere', 'queue-not-a-table', 'row-security', 'column-missing', 'column-type'],
  ...['tenant-type', 'workspaces-id', 'nodes-not-a-table', 'nodes-id'],
])

/** Looks at the queue and says what adopting it would mean. Changes nothing. */
export async function planAdoption(client: PoolClient, options: AdoptOptions, applied: ReadonlySet<string>): Promise<Adoption> {
  const named = options.collectionNodeId
  const collectionNodeId = named !== undefined && isUuid(named) ? named : undefined
  const inspection = await inspectQueue(client, { readable, collectionNodeId })
  const adoption = decideAdoption(inspection, { collectionNodeId, applied })
  if (named !== collectionNodeId) adoption.problems.unshift(notAUuid(named as string))
  return adoption
}

/** The plan as a function of what was read. */
export function decideAdoption(
  { facts, rows, connected }: Inspection,
  given: { collectionNodeId: string | undefined; applied: ReadonlySet<string> },
): Adoption {
  const steps = rows ? planSteps(facts, rows, given) : []
  const startedMsAgo = rows?.startedMsAgo ?? null
  return {
    shape: shapeOf(facts),
    jobs: rows?.jobs ?? {},
    bytes: relation(facts, 'job_queue')?.bytes ?? 0,
    steps,
    lockedMs: steps.filter(({ part }) => part === 'takeover').reduce((sum, { estimateMs }) => sum + estimateMs, 0),
    problems: [...findFormProblems(facts), ...(rows ? findRowProblems(facts, rows, given.collectionNodeId) : [])],
    notes: describeDifferences(facts, rows, given.collectionNodeId),
    connected,
    startedMsAgo: startedMsAgo !== null && startedMsAgo < RECENT_MS ? startedMsAgo : null,
  }
}

function readable(facts: CatalogueFacts): boolean {
  return findFormProblems(facts).every(({ rule }) => !hiding.has(rule))
}

function findFormProblems(facts: CatalogueFacts): AdoptionProblem[] {
  return [...findTableProblems(facts), ...findHostProblems(facts)]
}

function notAUuid(collectionNodeId: string): AdoptionProblem {
  const message = `a collection is named by the uuid of its node, got ${JSON.stringify(collectionNodeId)}`
  return { rule: 'collection-invalid', message, remedy: 'Give the id of a node, such as 0198f3a2-0000-7000-8000-000000000000.' }
}
