import { randomUUID } from 'node:crypto'
import { insertJob, insertNode, insertWorker, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { minutesAgo } from './minutes-ago.ts'
import { seedActivity } from './seed-activity.ts'
import { collectionTitles, jobTypes, makeBusyJobs, makeFailures, type SeededCollections } from './seed-jobs.ts'
import { makeResults } from './seed-results.ts'

/** Who signs in: everything, looking only, and nothing at all. */
export const users = {
  kari: '5a1de11a-0000-4000-8000-00000000000a',
  leser: '5a1de11a-0000-4000-8000-00000000000b',
  ingen: '5a1de11a-0000-4000-8000-00000000000c',
}

/** What ADMIN_DEMO_USERS is set to. */
export const demoUsers = JSON.stringify([
  { name: 'Kari', userId: users.kari, rights: ['view', 'act', 'view_raw'] },
  { name: 'Leser', userId: users.leser, rights: ['view'] },
  { name: 'Ingen', userId: users.ingen, rights: ['view', 'act'] },
])

/** Collections, and who reaches them. The last one is nobody's. */
export async function seedCollections(database: TestDatabase): Promise<SeededCollections> {
  const collections: string[] = []
  for (const title of collectionTitles) collections.push((await insertNode(database.db, { title })).id)
  const foreign = (await insertNode(database.db, { title: 'Andres samling' })).id
  for (const [index, node] of collections.entries()) {
    await allow(database, users.kari, node, index < 3 ? 'owner' : 'viewer')
    await allow(database, users.leser, node, 'viewer')
  }
  return { collections, foreign }
}

/** A queue that is well: workers, jobs that run and wait, jobs that are done, schedules. */
export async function seedBusy(database: TestDatabase): Promise<SeededCollections> {
  const seeded = await seedCollections(database)
  const [first] = seeded.collections as [string, ...string[]]
  const workers = [
    await worker(database, ['whisper_transcribe', 'openrouter_analyze', 'generate_waveform'], 3),
    await worker(database, jobTypes, 8),
  ]
  await makeBusyJobs(database, seeded, workers)
  await seedActivity(database, first, { fails: false })
  await database.query(
    `insert into job_schedules (collection_node_id, name, job_type, cron, time_zone, next_at, starts_at) values
      ($1, 'statistikk hver natt', 'stats_parse', '15 3 * * *', 'Europe/Oslo', date_trunc('day', now()) + interval '1 day 3 hours', now()),
      ($1, 'nye episoder', 'feed_watch', '*/20 * * * *', 'Europe/Oslo', date_trunc('hour', now()) + interval '1 hour', now())`,
    [first],
  )
  return seeded
}

/** One that needs somebody: failures, a type without a worker, a pause, what people did. */
export async function seedFailing(database: TestDatabase): Promise<SeededCollections> {
  const seeded = await seedBusy(database)
  const [first, second] = seeded.collections as [string, string]
  await makeFailures(database, seeded)
  await database.query('truncate job_activity, job_durations')
  await seedActivity(database, first, { fails: true })
  await database.query('insert into job_pauses (job_type, collection_node_id, paused_by, reason) values ($1, $2, $3, $4)', [
    ...['openrouter_analyze', second, users.kari, 'Vi venter på en ny avtale med leverandøren.'],
  ])
  await insertJob(database.db, {
    job_type: 'research_clip',
    collection_node_id: first,
    created_at: minutesAgo(34),
    scheduled_for: minutesAgo(34),
  })
  await insertJob(database.db, {
    job_type: 'research_clip',
    collection_node_id: first,
    created_at: minutesAgo(12),
    scheduled_for: minutesAgo(12),
  })
  await insertWorker(database.db, {
    ...{ types: ['research_clip'], slots: 2, version: '2.4.0', registered_at: minutesAgo(300), heartbeat_at: minutesAgo(41) },
    lease_expires_at: minutesAgo(40),
  })
  return seeded
}

async function allow(database: TestDatabase, userId: string, nodeId: string, role: string): Promise<void> {
  await database.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [userId, nodeId, role])
}

async function worker(database: TestDatabase, types: string[], slots: number): Promise<string> {
  const id = randomUUID()
  await insertWorker(database.db, { id, types, slots, version: '2.4.1', registered_at: minutesAgo(95) })
  return id
}

/** One that is done: an episode's transcript, waveform and analysis, and a clip. */
export async function seedResults(database: TestDatabase): Promise<SeededCollections> {
  const seeded = await seedCollections(database)
  await makeResults(database, seeded)
  return seeded
}
