import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { type Decider, type SuggestionDecision, suggestionForbidden } from './suggestion-decision.ts'

/**
 * Somebody wants a suggested edge of the collection: it becomes `accepted`. Where the transaction names a user (`app.user_id`), one that may not act in the collection is refused; else the application knows who may.
 * @returns false when there is no such suggestion in the collection, or it was decided already: then nothing is changed.
 * @throws QueueError `SUGGESTION_FORBIDDEN`
 */
export function acceptEdgeSuggestion(db: StorageDatabase, collectionNodeId: string, edgeId: string, by: Decider = {}): Promise<boolean> {
  return decide(db, collectionNodeId, { edgeId, decision: 'accepted', ...by })
}

/** Somebody does not: it becomes `rejected`, and is not suggested again. @returns as {@link acceptEdgeSuggestion}. */
export function rejectEdgeSuggestion(db: StorageDatabase, collectionNodeId: string, edgeId: string, by: Decider = {}): Promise<boolean> {
  return decide(db, collectionNodeId, { edgeId, decision: 'rejected', ...by })
}

async function decide(
  db: StorageDatabase,
  collectionNodeId: string,
  { edgeId, decision, decidedBy }: Decider & { readonly edgeId: string; readonly decision: SuggestionDecision },
): Promise<boolean> {
  const { rows } = await sql<{ outcome: string }>`
    select decide_edge_suggestion(${collectionNodeId}::uuid, ${edgeId}::uuid, ${decision}::text, ${decidedBy ?? null}::text) as outcome`.execute(
    withTables(db),
  )
  const outcome = rows[0]?.outcome
  if (outcome === 'SUGGESTION_FORBIDDEN') throw suggestionForbidden()
  return outcome === decision
}
