import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { storable } from '../../subtitles/storable.ts'
import { inCollectionAsSource } from '../host/in-collection.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** An edge that somebody may want. */
export interface EdgeSuggestion {
  readonly targetId: string
  /** Its kind, as an edge of the host. */
  readonly relation: string
  /** From 0 to 1. */
  readonly confidence: number
  /** Words of the source node that bear it out. */
  readonly evidence: string
}

/** Where suggestions come from. */
export interface SuggestionsOf {
  readonly nodeId: string
  readonly jobId: string
  /** The model's alias. */
  readonly model: string
  /** Each target and relation once. */
  readonly suggestions: readonly EdgeSuggestion[]
}

/**
 * Stores suggestions as edges with status `suggested` and what bears them out in `metadata.suggestion`. One that waits for an answer is brought up to date; an edge that is there for another reason, or
 * was accepted or rejected, stays as it is. Nodes that are not the collection's (any more) get none, nor does another collection: an edge to it says who may read a node.
 * @returns how many are new.
 */
export async function upsertEdgeSuggestions(
  trx: StorageDatabase,
  collectionNodeId: string,
  { nodeId, jobId, model, suggestions }: SuggestionsOf,
): Promise<number> {
  const rows = suggestions.map(({ targetId, relation, confidence, evidence }) => {
    const suggestion: JsonValue = { confidence, evidence: storable(evidence), model, jobId }
    return { target: targetId, relation, metadata: { suggestion } }
  })
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as s (target uuid, relation text, metadata jsonb)`
  await sql`
    update edges set metadata = edges.metadata || s.metadata from ${given}
    where edges.source_id = ${nodeId}::uuid and edges.target_id = s.target and edges.kind::text = s.relation and edges.status::text = 'suggested'
      and ${inCollectionAsSource(sql`${nodeId}::uuid`, collectionNodeId)} and ${inCollectionAsSource(sql.ref('s.target'), collectionNodeId)}`.execute(
    withTables(trx),
  )
  const { numAffectedRows } = await sql`
    insert into edges (source_id, target_id, kind, status, metadata)
    select ${nodeId}::uuid, s.target, s.relation, 'suggested', s.metadata from ${given}
    where ${inCollectionAsSource(sql`${nodeId}::uuid`, collectionNodeId)} and ${inCollectionAsSource(sql.ref('s.target'), collectionNodeId)}
      and not exists (select from nodes c where c.id in (${nodeId}::uuid, s.target) and c.id <> ${collectionNodeId}::uuid and c.kind::text = 'collection')
      and not exists (select from edges old where old.source_id = ${nodeId}::uuid and old.target_id = s.target and old.kind::text = s.relation)
    order by s.target, s.relation
    on conflict do nothing`.execute(withTables(trx))
  return Number(numAffectedRows ?? 0n)
}
