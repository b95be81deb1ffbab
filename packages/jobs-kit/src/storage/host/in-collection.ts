import { type RawBuilder, sql } from 'kysely'

/** What belongs to a collection: its own node, and each that an edge ties to it, in either direction. */
export function inCollection(nodeId: RawBuilder<unknown>, collectionNodeId: string): RawBuilder<boolean> {
  return sql<boolean>`(${nodeId} = ${collectionNodeId}::uuid
    or exists (select from edges e where e.source_id = ${nodeId} and e.target_id = ${collectionNodeId}::uuid)
    or exists (select from edges e where e.source_id = ${collectionNodeId}::uuid and e.target_id = ${nodeId}))`
}
