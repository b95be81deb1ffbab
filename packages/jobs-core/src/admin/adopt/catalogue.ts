import type { QueueShape } from './adoption.ts'
import type { CatalogueFacts, Column, Relation } from './facts.ts'

export const LEGACY_INDEX = 'idx_job_queue_pending'

export function relation(facts: CatalogueFacts, name: string): Relation | undefined {
  return facts.relations.find((candidate) => candidate.name === name)
}

export function columnsOf(facts: CatalogueFacts, table: string): Column[] {
  return facts.columns.filter((column) => column.table === table)
}

export function column(facts: CatalogueFacts, table: string, name: string): Column | undefined {
  return columnsOf(facts, table).find((candidate) => candidate.name === name)
}

/** Which of the three historical shapes the table has. */
export function shapeOf(facts: CatalogueFacts): QueueShape {
  const names = columnsOf(facts, 'job_queue').map(({ name }) => name)
  return (['collection_node_id', 'workspace_id'] as const).find((name) => names.includes(name)) ?? 'no tenant'
}

/** Columns whose type adopt/0008_narrow_columns.sql has to change. */
export function columnsToNarrow(facts: CatalogueFacts): string[] {
  return columnsOf(facts, 'job_queue')
    .filter(({ name, type }) => narrowed[name] !== undefined && narrowed[name] !== type)
    .map(({ name }) => name)
}

/** All columns that file names: a view on any of them makes it fail. */
export const narrowed: Record<string, string> = {
  job_type: 'text',
  error_msg: 'text',
  priority: 'smallint',
  attempts: 'smallint',
  max_attempts: 'smallint',
}
