// A job and the row it belongs to exist together or not at all.
import { defineJob, enqueue, isJobsError } from '@sidelinja/jobs-core'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

const { pool, db, collectionNodeId } = await openExample()

const makeWaveform = defineJob({
  type: 'make_waveform',
  payload: z.object({ audioPath: z.string(), points: z.number().int().default(800) }),
  priority: 1,
})

async function addEpisode(title: string, audioPath: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('nodes').values({ kind: 'episode', title }).execute()
    await enqueue(trx, makeWaveform, { audioPath }, { collectionNodeId })
    if (title === '') throw new Error('an episode needs a title')
  })
}

await addEpisode('The first', 'show/ep001.mp3')
await addEpisode('', 'show/ep002.mp3').catch((error) => console.log(`rolled back: ${error.message}`))

// The same with pg alone: any client or pool will do.
const client = await pool.connect()
await client.query('begin')
await enqueue(client, makeWaveform, { audioPath: 'show/ep003.mp3' }, { collectionNodeId, priority: 10 })
await client.query('commit')
client.release()

// A payload that does not fit never reaches the database.
await enqueue(db, makeWaveform, { audioPath: 3 } as never, { collectionNodeId }).catch((error) => {
  if (isJobsError(error, 'permanent')) console.log(error.code)
})

const { rows } = await pool.query(
  `select payload->>'audioPath' as path, priority, status from job_queue where collection_node_id = $1 order by sequence`,
  [collectionNodeId],
)
for (const { path, priority, status } of rows) console.log(path, priority, status)
await pool.end()

// Prints:
// rolled back: an episode needs a title
// PAYLOAD_INVALID
// show/ep001.mp3 1 pending
// show/ep003.mp3 10 pending
