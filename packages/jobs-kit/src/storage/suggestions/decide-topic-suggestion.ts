import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { type Decider, type SuggestionDecision, suggestionForbidden } from './suggestion-decision.ts'

/**
 * Somebody wants a topic that was suggested. One of that name that the collection has is taken, else it is made, a node of kind `topic` that the collection contains; each node that suggests it gets an `about` edge to it, with its
 * evidence. Two that differ only in case are one topic.
 * @returns the topic's id; undefined when it is not suggested in the collection, or was decided already: then nothing is changed.
 * @throws QueueError `SUGGESTION_FORBIDDEN`
 */
export async function acceptTopicSuggestion(
  db: StorageDatabase,
  collectionNodeId: string,
  name: string,
  by: Decider = {},
): Promise<string | undefined> {
  const { outcome, topicNodeId } = await decide(db, collectionNodeId, { name, decision: 'accepted', ...by })
  return outcome === 'accepted' ? (topicNodeId ?? undefined) : undefined
}

/** Somebody does not: no node suggests it again. @returns false where {@link acceptTopicSuggestion} gives undefined. */
export async function rejectTopicSuggestion(
  db: StorageDatabase,
  collectionNodeId: string,
  name: string,
  by: Decider = {},
): Promise<boolean> {
  return (await decide(db, collectionNodeId, { name, decision: 'rejected', ...by })).outcome === 'rejected'
}

interface Outcome {
  outcome: string
  topicNodeId: string | null
}

async function decide(
  db: StorageDatabase,
  collectionNodeId: string,
  { name, decision, decidedBy }: Decider & { readonly name: string; readonly decision: SuggestionDecision },
): Promise<Outcome> {
  const { rows } = await sql<Outcome>`
    select outcome, topic_node_id as "topicNodeId"
    from decide_topic_suggestion(${collectionNodeId}::uuid, ${name}::text, ${decision}::text, ${decidedBy ?? null}::text)`.execute(
    withTables(db),
  )
  const decided = rows[0] as Outcome
  if (decided.outcome === 'SUGGESTION_FORBIDDEN') throw suggestionForbidden()
  return decided
}
