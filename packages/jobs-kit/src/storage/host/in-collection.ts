import { type RawBuilder, sql } from 'kysely'

/** What belongs to a collection: its own node, and each that an edge ties to it, in either direction. An edge that a job has only suggested, or that somebody did not want, ties nothing. */
export function inCollection(nodeId: RawBuilder<unknown>, collectionNodeId: string): RawBuilder<boolean> {
  return tiedBy(nodeId, collectionNodeId, sql``)
}

/**
 * The same, of nodes that jobs may read, or write about, because somebody named them: without those that are the collection's by an edge that only says whose a job's node is. Whoever may read what that
 * was made of may read it, and a job's result may reach others.
 */
export function inCollectionAsSource(nodeId: RawBuilder<unknown>, collectionNodeId: string): RawBuilder<boolean> {
  return tiedBy(nodeId, collectionNodeId, sql` and e.kind::text not in ('has_summary', 'has_note')`)
}

function tiedBy(nodeId: RawBuilder<unknown>, collectionNodeId: string, condition: RawBuilder<unknown>): RawBuilder<boolean> {
  const stands = edgeStands(sql.ref('e.status'))
  return sql<boolean>`(${nodeId} = ${collectionNodeId}::uuid
    or exists (select from edges e where e.source_id = ${nodeId} and e.target_id = ${collectionNodeId}::uuid and ${stands})
    or exists (select from edges e where e.source_id = ${collectionNodeId}::uuid and e.target_id = ${nodeId} and ${stands}${condition}))`
}

/** Of an edge that ties: it is neither only suggested nor rejected. */
export function edgeStands(status: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${status}::text, '') not in ('suggested', 'rejected')`
}
