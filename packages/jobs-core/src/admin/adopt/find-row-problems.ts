import type { AdoptionProblem } from './adoption.ts'
import { column, shapeOf } from './catalogue.ts'
import type { CatalogueFacts, RowFacts } from './facts.ts'
import { findNewNodeProblems } from './find-host-problems.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a uuid that PostgreSQL would take. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** What in the rows stands in the way: broken rules, and tenants that nobody knows. */
export function findRowProblems(facts: CatalogueFacts, rows: RowFacts, collectionNodeId: string | undefined): AdoptionProblem[] {
  const broken = rows.broken.filter(({ rule }) => rule.blocks)
  return [
    ...broken.map(({ rule: { rule, says, remedy, sql }, count, examples }) => ({
      ...{ rule, message: `${jobs(count)} ${says}`, remedy, count, examples },
      ...(sql === undefined ? {} : { sql }),
    })),
    ...findLostTenants(rows),
    ...findUnnamedTenant(facts, rows, collectionNodeId),
    ...(makesNodes(rows, collectionNodeId) ? findNewNodeProblems(facts, { withMetadata: rows.tenants.newNodes > 0 }) : []),
  ]
}

/** Whether the collection that was named has to be made: only where there are no nodes at all. */
export function makesFirstNode({ tenants }: RowFacts, collectionNodeId: string | undefined): boolean {
  return collectionNodeId !== undefined && tenants.withoutTenant > 0 && !tenants.hasNodes && !tenants.collectionIsWorkspace
}

function makesNodes(rows: RowFacts, collectionNodeId: string | undefined): boolean {
  return rows.tenants.newNodes > 0 || makesFirstNode(rows, collectionNodeId)
}

function findLostTenants({ tenants: { lostTenants, lostJobs, lostExamples } }: RowFacts): AdoptionProblem[] {
  if (lostTenants === 0) return []
  const message = `${jobs(lostJobs)} of ${lostTenants === 1 ? 'a tenant that is' : `${lostTenants} tenants that are`} gone: ${lostExamples.join(', ')}${lostTenants > 3 ? ' …' : ''}`
  const remedy = 'Make a node (id, kind collection, title) for each, give these jobs to another collection, or delete them.'
  return [{ rule: 'tenant-lost', message, remedy, count: lostJobs }]
}

function findUnnamedTenant(facts: CatalogueFacts, rows: RowFacts, collectionNodeId: string | undefined): AdoptionProblem[] {
  const { withoutTenant, hasNodes, collectionIsNode, collectionIsWorkspace } = rows.tenants
  if (withoutTenant === 0) return []
  const count = withoutTenant
  if (shapeOf(facts) === 'collection_node_id' && column(facts, 'job_queue', 'workspace_id')) {
    const message = `${jobs(count)} without collection_node_id, and whether workspace_id says it cannot be known`
    const remedy = 'Fill collection_node_id yourself, or drop or rename workspace_id.'
    return [{ rule: 'tenant-ambiguous', message, remedy, count }]
  }
  if (collectionNodeId === undefined) {
    const message = `${jobs(count)} without a collection`
    const remedy = 'Name one: --adopt-collection <uuid> (adopt.collectionNodeId), the id of a node.'
    return [{ rule: 'tenant-unnamed', message, remedy, count }]
  }
  if (!collectionIsNode && !collectionIsWorkspace && hasNodes) {
    const message = `there is no node ${collectionNodeId} to give ${jobs(count)} to`
    return [{ rule: 'collection-missing', message, remedy: 'Name the id of a node that exists, or make it first.', count }]
  }
  const key = facts.constraints.find(({ kind, references }) => kind === 'f' && references === 'workspaces')
  if (!key || collectionIsWorkspace || shapeOf(facts) !== 'workspace_id') return []
  const message = `${jobs(count)} without a workspace, and ${key.name} forbids a collection that is none`
  return [{ rule: 'tenant-key', message, remedy: 'Drop it.', sql: `alter table job_queue drop constraint ${key.name}`, count }]
}

function jobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`
}
