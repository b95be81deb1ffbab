import type { AdoptionProblem } from './adoption.ts'
import { column, columnsOf, relation, shapeOf } from './catalogue.ts'
import type { CatalogueFacts, Column } from './facts.ts'

/** What in the tenant column, `nodes` and `workspaces` stands in the way, whatever the rows say. */
export function findHostProblems(facts: CatalogueFacts): AdoptionProblem[] {
  const shape = shapeOf(facts)
  return [...(shape === 'no tenant' ? [] : findTenantProblems(facts, shape)), ...findNodesProblems(facts)]
}

function findTenantProblems(facts: CatalogueFacts, tenant: string): AdoptionProblem[] {
  const problems: AdoptionProblem[] = []
  const type = column(facts, 'job_queue', tenant)?.type
  if (type !== 'uuid') {
    const message = `job_queue.${tenant} is ${type}, and a collection is known by a uuid`
    problems.push({
      rule: 'tenant-type',
      message,
      remedy: 'Give each tenant a node, and the jobs that node’s id in a column collection_node_id.',
    })
  }
  const workspaceId = column(facts, 'workspaces', 'id')
  if (tenant === 'workspace_id' && relation(facts, 'workspaces') && workspaceId?.type !== 'uuid') {
    const message = `workspaces.id is ${workspaceId?.type ?? 'missing'} (expected uuid)`
    problems.push({
      rule: 'workspaces-id',
      message,
      remedy: 'Make the nodes yourself, then rename workspaces or adopt as collection_node_id.',
    })
  }
  return problems
}

function findNodesProblems(facts: CatalogueFacts): AdoptionProblem[] {
  const nodes = relation(facts, 'nodes')
  if (!nodes) return []
  if (nodes.kind !== 'r' && nodes.kind !== 'p') {
    const message = 'nodes is not a table, and a foreign key must point to one'
    return [{ rule: 'nodes-not-a-table', message, remedy: 'Put the table itself under that name in this schema.' }]
  }
  const id = column(facts, 'nodes', 'id')
  if (id?.type !== 'uuid') {
    const message = `nodes.id is ${id?.type ?? 'missing'} (expected uuid)`
    return [{ rule: 'nodes-id', message, remedy: 'Give nodes a uuid key named id: a job belongs to a collection by it.' }]
  }
  if (!facts.uniqueKeys.some(({ table, columns }) => table === 'nodes' && columns.join() === 'id')) {
    const message = 'nodes.id is not a key, and a foreign key must point to one'
    const sql = 'alter table nodes add primary key (id)'
    return [{ rule: 'nodes-id-not-key', message, remedy: 'Make it one, or add a unique constraint.', sql }]
  }
  if (nodes.owned || nodes.mayReference) return []
  const message = 'this role may not make a foreign key to nodes'
  return [{ rule: 'nodes-rights', message, remedy: 'grant references on nodes to the role that migrates.' }]
}

/**
 * Why a node cannot be made in the host's table, if it cannot.
 * @param withMetadata a workspace's settings go with it.
 */
export function findNewNodeProblems(facts: CatalogueFacts, { withMetadata }: { withMetadata: boolean }): AdoptionProblem[] {
  if (!relation(facts, 'nodes')) return []
  const filled: Record<string, (column: Column) => boolean> = {
    id: () => true,
    kind: ({ type, labels }) => (labels ? labels.includes('collection') : /^(text|character varying)$/.test(type)),
    title: ({ type }) => /^(text|character varying)$/.test(type),
    ...(withMetadata && { metadata: ({ type }) => type === 'jsonb' }),
  }
  const wrong = Object.entries(filled).filter(([name, fits]) => {
    const found = column(facts, 'nodes', name)
    return found === undefined || !fits(found)
  })
  const open = columnsOf(facts, 'nodes').filter((it) => it.notNull && !it.automatic && it.default === null && !filled[it.name])
  if (wrong.length === 0 && open.length === 0) return []
  const reasons = [
    ...wrong.map(([name]) => `${name} is missing or of another type (expected ${name === 'metadata' ? 'jsonb' : 'text'})`),
    ...open.map(({ name }) => `nobody knows what to put into ${name}`),
  ]
  const message = `nodes have to be made, and this table’s cannot be: ${reasons.join('; ')}`
  return [{ rule: 'nodes-columns', message, remedy: 'Make a node with the id of each tenant yourself, then run this again.' }]
}
