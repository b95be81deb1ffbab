import { sql } from 'kysely'
import { inCollectionAsSource } from '../host/in-collection.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/**
 * Somebody wants a suggested edge of the collection: it becomes `accepted`. Who may decide, the application knows.
 * @returns false when there is no such suggestion in the collection, or it was decided already: then nothing is changed.
 */
export function acceptEdgeSuggestion(db: StorageDatabase, collectionNodeId: string, edgeId: string): Promise<boolean> {
  return decide(db, collectionNodeId, edgeId, 'accepted')
}

/** Somebody does not: it becomes `rejected`, and is not suggested again. @returns as {@link acceptEdgeSuggestion}. */
export function rejectEdgeSuggestion(db: StorageDatabase, collectionNodeId: string, edgeId: string): Promise<boolean> {
  return decide(db, collectionNodeId, edgeId, 'rejected')
}

async function decide(db: StorageDatabase, collectionNodeId: string, edgeId: string, decision: 'accepted' | 'rejected'): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update edges set status = ${decision}
    where id = ${edgeId}::uuid and status::text = 'suggested'
      and ${inCollectionAsSource(sql.ref('edges.source_id'), collectionNodeId)} and ${inCollectionAsSource(sql.ref('edges.target_id'), collectionNodeId)}`.execute(
    withTables(db),
  )
  return (numAffectedRows ?? 0n) > 0n
}
