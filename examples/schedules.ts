// A job that comes back: every night at three by a wall clock, and every ten minutes.
import { defineJob } from '@sidelinja/jobs-core'
import { deleteSchedule, listSchedules, previewSchedule, upsertSchedule } from '@sidelinja/jobs-core/admin'
import { createWorker, defineHandler } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'
import { openExample } from './lib/database.ts'

const { connectionString, pool, db, collectionNodeId } = await openExample()
const scope = { collectionNodeIds: [collectionNodeId] }

const buildReport = defineJob({ type: 'build_report', payload: z.object({ pages: z.number() }), priority: 1 })

// What the application says at every start, in every process: there is one schedule of this name afterwards.
await upsertSchedule(
  db,
  {
    collectionNodeId,
    name: 'nightly report',
    job: buildReport,
    payload: { pages: 3 },
    cron: '0 3 * * *',
    timeZone: 'Europe/Oslo',
    misfire: 'last',
  },
  scope,
)
await upsertSchedule(db, { collectionNodeId, name: 'draft', job: buildReport, payload: { pages: 1 }, everySeconds: 600 }, scope)

// Before it is saved: when would it tick? The night of 25 October has two o'clock twice, and three o'clock once.
const ticks = previewSchedule({ cron: '0 3 * * *', timeZone: 'Europe/Oslo' }, { from: new Date('2026-10-24T12:00Z'), count: 2 })
console.log(ticks.map((tick) => tick.toISOString()).join(' '))

const done = Promise.withResolvers<void>()
const handler = defineHandler(buildReport, async ({ payload, job }) => {
  // The tick that this run is for, also in a second attempt and after an outage: draft@2026-11-30T12:00:00Z
  console.log(`${payload.pages} page(s) for a tick of ${job.correlationId?.split('@')[0]}`)
  done.resolve()
})
const worker = createWorker({ connection: connectionString, handlers: [handler] })
await worker.start()
await done.promise
await worker.stop()

for (const { name, cron, every_seconds, next_at } of await listSchedules(db, scope)) {
  console.log(`${name}: ${cron ?? `every ${every_seconds} s`}, next tick ${next_at ? 'known' : 'unknown'}`)
}
console.log(await deleteSchedule(db, { collectionNodeId, name: 'draft' }, scope))
await pool.end()

// Prints:
// 2026-10-25T02:00:00.000Z 2026-10-26T02:00:00.000Z
// 1 page(s) for a tick of draft
// draft: every 600 s, next tick known
// nightly report: 0 3 * * *, next tick known
// true
