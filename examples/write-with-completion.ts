// What a handler writes commits together with the job's completion, or not at all.
import { defineJob, enqueue, enqueueByType, PermanentError } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

/** The application's own tables, as far as the handler writes them. A type: `withTables` takes no interface. */
type Tables = {
  nodes: { id: string; title: string | null }
}

const { connectionString, pool, db, collectionNodeId } = await openExample()

const writeTitle = defineJob({ type: 'write_title', payload: z.object({ title: z.string() }) })

const handler = defineHandler(writeTitle, async ({ payload, job }) => {
  // The slow part comes here, outside any transaction.
  const title = payload.title.trim()
  return {
    result: { characters: title.length },
    // Runs in the transaction that completes the job, and only if the job is still this worker's.
    write: async (trx) => {
      await trx.withTables<Tables>().updateTable('nodes').set({ title }).where('id', '=', job.collectionNodeId).execute()
      await enqueueByType(trx, 'build_feed', { reason: 'title' }, { collectionNodeId: job.collectionNodeId })
      if (title === '') throw new PermanentError('TITLE_EMPTY', 'Expected a title, got nothing but spaces.')
    },
  }
})

const worker = createWorker({ connection: connectionString, handlers: [handler] })
await worker.start()
for (const title of [' Episode one ', '   ']) {
  const { id } = await enqueue(db, writeTitle, { title }, { collectionNodeId })
  const job = await waitForJob(db, id)
  console.log(job.status, job.attempts, job.result ?? job.error_msg)
}
await worker.stop()

const node = await pool.query('select title from nodes where id = $1', [collectionNodeId])
const followUps = await pool.query(`select count(*)::int as n from job_queue where collection_node_id = $1 and job_type = 'build_feed'`, [
  collectionNodeId,
])
console.log(`title: ${node.rows[0].title}, follow-ups: ${followUps.rows[0].n}`)
await pool.end()

// Prints:
// completed 1 { characters: 11 }
// error 1 Expected a title, got nothing but spaces.
// title: Episode one, follow-ups: 1
