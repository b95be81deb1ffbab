import { sql } from 'kysely'
import { storable } from '../../subtitles/storable.ts'
import { inCollectionAsSource } from '../host/in-collection.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** A topic that the collection does not have, and could. */
export interface TopicSuggestion {
  /** At most 200 characters, not blank. */
  readonly name: string
  /** One sentence, or ''. */
  readonly description: string
  /** Words of the node that bear it out. */
  readonly evidence: string
}

/** Where suggested topics come from. */
export interface TopicSuggestionsOf {
  readonly nodeId: string
  readonly jobId: string | null
  /** The model's alias. */
  readonly model: string
  /** Each name once, whatever its case. */
  readonly topics: readonly TopicSuggestion[]
}

/**
 * Stores topics that a node suggests, for a person to decide about; those that wait already are brought up to date. A name that somebody has decided about in the collection is not suggested again, by whichever node: where it was
 * accepted, the topic is there to be chosen.
 * @returns the names that wait.
 */
export async function upsertTopicSuggestions(
  trx: StorageDatabase,
  collectionNodeId: string,
  { nodeId, jobId, model, topics }: TopicSuggestionsOf,
): Promise<string[]> {
  if (topics.length === 0) return []
  const given = topics.map(({ name, description, evidence }) => ({
    ...{ name: storable(name).normalize('NFC').trim(), description: storable(description), evidence: storable(evidence) },
  }))
  // With decide_topic_suggestion: what is decided meanwhile is seen here, or the other way round. In one order.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('topic ' || ${collectionNodeId}::uuid || ' ' || key, 0))
    from (select distinct lower(btrim(name)) as key from unnest(${given.map(({ name }) => name)}::text[]) t (name) order by 1) keys`.execute(
    withTables(trx),
  )
  const { rows } = await sql<{ name: string }>`
    insert into topic_suggestions as t (collection_node_id, node_id, name, description, evidence, model, job_id)
    select ${collectionNodeId}::uuid, ${nodeId}::uuid, s.name, s.description, s.evidence, ${model}, ${jobId}::uuid
    from json_to_recordset(${JSON.stringify(given)}::json) as s (name text, description text, evidence text)
    where ${inCollectionAsSource(sql`${nodeId}::uuid`, collectionNodeId)}
      and not exists (select from topic_suggestions d where d.collection_node_id = ${collectionNodeId}::uuid and d.name_key = lower(btrim(s.name)) and d.state <> 'suggested')
    on conflict (collection_node_id, name_key, node_id) do update
    set name = excluded.name, description = excluded.description, evidence = excluded.evidence, model = excluded.model, job_id = excluded.job_id,
      updated_at = clock_timestamp()
    where t.state = 'suggested'
    returning name`.execute(withTables(trx))
  return rows.map(({ name }) => name)
}
