// Reading, cancelling and retrying jobs: what an admin page is made of.
import { defineJob, enqueue } from '@sidelinja/jobs-core'
import { cancelJob, countJobs, getJob, listJobs, retryJob } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

const { pool, db, collectionNodeId } = await openExample()

const tidy = defineJob({ type: 'tidy', payload: z.object({}) })
const { id } = await enqueue(db, tidy, {}, { collectionNodeId })

// Whose jobs are meant is said each time; there is no default.
const scope = { collectionNodeIds: [collectionNodeId] }

console.log(await cancelJob(db, id, scope))
console.log((await getJob(db, id, scope)).status)
await retryJob(db, id, scope)
console.log(await countJobs(db, scope))

const page = await listJobs(db, scope, { type: 'tidy', limit: 10 })
console.log(page.jobs.length, page.nextCursor)

// A job of somebody else looks like none at all.
await getJob(db, id, { collectionNodeIds: [] }).catch((error) => console.log(error.code))
await pool.end()

// Prints:
// cancelled
// cancelled
// [ { type: 'tidy', status: 'pending', count: 1 } ]
// 1 null
// JOB_NOT_FOUND
