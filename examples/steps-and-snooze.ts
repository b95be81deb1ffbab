// A step that was paid for is not paid for again, and a job that has to wait for something else charges no attempt.
import { defineJob, enqueue, SnoozeError } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

const { connectionString, pool, db, collectionNodeId } = await openExample()

const summarise = defineJob({ type: 'summarise', payload: z.object({ text: z.string() }) })
let calls = 0

const handler = defineHandler(summarise, async ({ payload, job, progress, step }) => {
  // Stored as soon as it returns; every later run of this job gets the stored result.
  const summary = await step('summary', async () => {
    calls++
    return payload.text.slice(0, 5)
  })
  progress(0.5, 'Waiting for the archive')
  // At least a second, at most a day.
  if (job.run === 1) throw new SnoozeError(1_000, 'the archive is closed')
  return { result: { summary, attempt: job.attempt, run: job.run } }
})

const worker = createWorker({
  connection: connectionString,
  handlers: [handler],
  onEvent(event) {
    if (event.name === 'job.snoozed') console.log(`snoozed: ${event.reason}`)
  },
})
await worker.start()
const { id } = await enqueue(db, summarise, { text: 'Hello, world' }, { collectionNodeId })
const job = await waitForJob(db, id)
console.log(job.status, job.result)
console.log(`the summary was made ${calls} time`)
await worker.stop()
await pool.end()

// Prints:
// snoozed: the archive is closed
// completed { run: 2, attempt: 1, summary: 'Hello' }
// the summary was made 1 time
