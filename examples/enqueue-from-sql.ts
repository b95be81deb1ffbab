// Triggers and psql enqueue through the same function as the TypeScript API.
import { openExample } from './lib/database.ts'

const { pool, collectionNodeId } = await openExample()

await pool.query(`
  create or replace function embed_notes() returns trigger language plpgsql as $$
  begin
    perform enqueue_job(
      new.id, 'generate_embeddings', jsonb_build_object('nodeId', new.id),
      priority => 1::smallint, unique_key => new.id::text, on_conflict => 'debounce', scheduled_for => now() + interval '1 minute');
    return new;
  end $$;
  create or replace trigger embed_notes after insert or update of content on nodes
    for each row when (new.kind = 'note') execute function embed_notes();
`)

await pool.query(`update nodes set kind = 'note', content = 'A first draft' where id = $1`, [collectionNodeId])
await pool.query(`update nodes set content = 'A better one' where id = $1`, [collectionNodeId])

const { rows } = await pool.query(
  `select job_type, priority, status, payload ? 'nodeId' as has_node from job_queue where collection_node_id = $1`,
  [collectionNodeId],
)
console.log(rows)
await pool.end()

// Prints:
// [
//   {
//     job_type: 'generate_embeddings',
//     priority: 1,
//     status: 'pending',
//     has_node: true
//   }
// ]
