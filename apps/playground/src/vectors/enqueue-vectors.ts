import { generateEmbeddings } from '@sidelinja/handler-generate-embeddings/job'
import { suggestEdges } from '@sidelinja/handler-suggest-edges/job'
import { enqueue } from '@sidelinja/jobs-core'
import type pg from 'pg'
import { COLLECTION_ID, EPISODE_ID } from '../collection.ts'

/** What edges could lead to; fixed ids, so that every start finds them again. */
const topics = [
  { id: '5a1de11a-0000-4000-8000-000000000101', title: 'City council' },
  { id: '5a1de11a-0000-4000-8000-000000000102', title: 'Football field' },
  { id: '5a1de11a-0000-4000-8000-000000000103', title: 'Steinøya' },
]

/** Makes the topics and ties the episode to its collection, where that is missing. The sample texts are short, and parted all the same. */
export async function prepareVectors(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update nodes set metadata = jsonb_set(metadata, '{jobs,embeddings}', '{"chunkTokens": 100}') where id = $1 and metadata -> 'jobs' is not null and metadata #> '{jobs,embeddings}' is null`,
    [COLLECTION_ID],
  )
  await pool.query(
    `insert into nodes (id, kind, title) select id, 'topic', title from json_to_recordset($1) as t (id uuid, title text) on conflict (id) do nothing`,
    [JSON.stringify(topics)],
  )
  await pool.query(
    `insert into edges (source_id, target_id, kind) select $1::uuid, id, 'contains' from nodes where id = any ($2::uuid[]) on conflict do nothing`,
    [COLLECTION_ID, [EPISODE_ID, ...topics.map(({ id }) => id)]],
  )
}

/** Asks for the vectors of all that the collection's members may read: of texts that have theirs nothing is asked. */
export async function enqueueVectors(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select n.id from nodes n join edges e on e.source_id = $1 and e.target_id = n.id and e.kind not in ('has_summary', 'has_note')
     where n.content ~ '\\S' or n.kind = 'topic' or exists (select from media_transcripts t where t.collection_node_id = $1 and t.media_node_id = n.id)
     order by n.created_at, n.id limit 50`,
    [COLLECTION_ID],
  )
  return await Promise.all(rows.map(async ({ id }) => (await enqueue(pool, generateEmbeddings, { nodeId: id }, optionsFor(id))).id))
}

/** Asks for the edges of the episode and of the clips. */
export async function enqueueEdges(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct v.node_id as id from node_embeddings v join nodes n on n.id = v.node_id where v.collection_node_id = $1 and n.kind <> 'topic' order by 1 limit 10`,
    [COLLECTION_ID],
  )
  return await Promise.all(rows.map(async ({ id }) => (await enqueue(pool, suggestEdges, { nodeId: id }, optionsFor(id))).id))
}

function optionsFor(id: string) {
  return { collectionNodeId: COLLECTION_ID, unique: { key: `sample ${id}`, until: 'finished' as const } }
}
