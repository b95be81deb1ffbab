// A worker inside an application: started with it, stopped with it, its events turned into whatever the application logs with.
import { defineJob, enqueue } from '@sidelinja/jobs-core'
import { createWorker, defineHandler } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

const { connectionString, pool, db, collectionNodeId } = await openExample()

const resize = defineJob({ type: 'resize', payload: z.object({ width: z.number() }), timeoutMs: 60_000 })

const handler = defineHandler(resize, async ({ payload, signal, log }) => {
  if (payload.width === 0) throw new Error('cannot make it nothing wide')
  // Pass the signal to whatever takes time: it aborts at the timeout, at a cancel, when the worker stops and when the lease is lost.
  signal.throwIfAborted()
  log.info('resized', { width: payload.width })
})

const worker = createWorker({
  connection: connectionString,
  handlers: [handler],
  maxConcurrent: 1,
  onEvent(event) {
    if (event.name === 'job.completed') console.log(`${event.jobType} completed on attempt ${event.attempt}`)
    if (event.name === 'job.log') console.log(event.message, event.fields)
    if (event.name !== 'job.failed') return
    console.log(`${event.jobType} failed: ${event.error.message}; tried again: ${!event.final}`)
    // What an application does on SIGTERM: take no more, let what runs finish, hand back the rest.
    void worker.stop()
  },
})

await enqueue(db, resize, { width: 640 }, { collectionNodeId, priority: 10 })
await enqueue(db, resize, { width: 0 }, { collectionNodeId })
await worker.start()
await worker.stopped
await pool.end()

// Prints:
// resized { width: 640 }
// resize completed on attempt 1
// resize failed: cannot make it nothing wide; tried again: true
