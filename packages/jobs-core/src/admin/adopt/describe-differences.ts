import { column, columnsOf, LEGACY_INDEX, shapeOf } from './catalogue.ts'
import { originalColumns, ourConstraints, ourDefaults } from './expected-columns.ts'
import type { CatalogueFacts, RowFacts } from './facts.ts'

/** What stays different from a new queue, or changes for the host, in sentences. */
export function describeDifferences(facts: CatalogueFacts, rows: RowFacts | null, collectionNodeId: string | undefined): string[] {
  return [...describeTenant(facts), ...(rows ? describeRows(rows, collectionNodeId) : []), ...describeTable(facts)]
}

function describeTenant(facts: CatalogueFacts): string[] {
  switch (shapeOf(facts)) {
    case 'no tenant':
      return ['Statements of your own that insert jobs must give collection_node_id from then on.']
    case 'workspace_id':
      return [
        'workspace_id is called collection_node_id from then on: statements of your own must follow.',
        'To delete a workspace no longer deletes its jobs; to delete its node does.',
      ]
    default:
      return []
  }
}

function describeRows(rows: RowFacts, collectionNodeId: string | undefined): string[] {
  const kept = rows.broken.filter(({ rule }) => !rule.blocks)
  const { running = 0 } = rows.jobs
  const { newNodes, withoutTenant } = rows.tenants
  return [
    ...(running > 0
      ? [`${count(running)} running: retry from now on, due at once, with a row 'interrupted' in job_attempts; attempts stay.`]
      : []),
    ...kept.map(({ rule, count: jobs, examples }) => `${count(jobs)} ${rule.says} (${examples.join(', ')}). ${rule.remedy}`),
    ...(newNodes > 0
      ? [
          `Workspaces without a node get one of the kind collection: ${newNodes}. Who may see their jobs stands in node_access, which is yours to fill.`,
        ]
      : []),
    ...(collectionNodeId && withoutTenant === 0 ? ['Every job has its tenant: the collection that was named is not needed.'] : []),
  ]
}

function describeTable(facts: CatalogueFacts): string[] {
  const extra = columnsOf(facts, 'job_queue').filter(({ name }) => originalColumns[name] === undefined && name !== shapeOf(facts))
  const changed = Object.entries(ourDefaults).filter(([name, ours]) => {
    const theirs = column(facts, 'job_queue', name)?.default
    return theirs != null && theirs !== ours
  })
  const checks = facts.constraints.filter(({ name, kind }) => (kind === 'c' || kind === 'x') && ourConstraints[name] === undefined)
  const indexes = facts.dependents.filter(
    ({ column: on, type, name }) => on === 'status' && type === 'index' && !name.endsWith(LEGACY_INDEX),
  )
  return [
    ...(extra.length > 0 ? [`Columns of your own are kept: ${extra.map(({ name }) => name).join(', ')}.`] : []),
    ...changed.map(([name, ours]) => `The default of ${name} becomes ${ours}; it was ${column(facts, 'job_queue', name)?.default}.`),
    ...checks.map(({ name, definition }) => `The constraint ${name} is kept and holds for the queue’s own writes too: ${definition}.`),
    ...indexes.map(({ name }) => `The index ${name} names status, so every claim and settle has to write it. Drop it if nothing needs it.`),
    ...(facts.triggers.length > 0
      ? [`Triggers of your own are kept, and fire for the steps’ writes too: ${facts.triggers.join(', ')}.`]
      : []),
  ]
}

function count(jobs: number): string {
  return jobs === 1 ? '1 job' : `${jobs} jobs`
}
