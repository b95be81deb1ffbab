// One job at a time for one piece of work, and what happens to the second.
import { defineJob, enqueue, enqueueMany } from '@sidelinja/jobs-core'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

const { pool, db, collectionNodeId } = await openExample()

const buildFeed = defineJob({ type: 'build_feed', payload: z.object({ reason: z.string() }) })
const inAMinute = () => new Date(Date.now() + 60_000)

async function request(reason: string, onConflict: 'keep' | 'replace' | 'debounce', scheduledFor?: Date): Promise<void> {
  const unique = { key: 'feed', onConflict }
  const { outcome } = await enqueue(db, buildFeed, { reason }, { collectionNodeId, scheduledFor, unique })
  console.log(`${reason}: ${outcome}`)
}

await request('first', 'keep', inAMinute())
// keep (the default): the waiting job does the work for both.
await request('second', 'keep')
// replace: the waiting job gets this payload, and keeps its time.
await request('third', 'replace')
// debounce: as replace, and its time starts anew: the feed is built a minute after the last change.
await request('fourth', 'debounce', inAMinute())

// A key is held per collection and job type. Of equal keys in one call the first wins.
const results = await enqueueMany(
  db,
  buildFeed,
  ['a', 'b', 'a'].map((key) => ({ payload: { reason: key }, unique: { key } })),
  { collectionNodeId },
)
console.log(results.map(({ outcome }) => outcome).join(' '))

const { rows } = await pool.query(
  `select payload->>'reason' as reason, unique_key, scheduled_for > now() as later from job_queue where collection_node_id = $1 order by sequence`,
  [collectionNodeId],
)
for (const { reason, unique_key, later } of rows) console.log(`${unique_key}: ${reason}${later ? ', later' : ''}`)
await pool.end()

// Prints:
// first: created
// second: kept
// third: replaced
// fourth: replaced
// created created kept
// feed: fourth, later
// a: a
// b: b
