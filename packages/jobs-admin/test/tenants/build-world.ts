import { insertJob, insertNode, insertWorker, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { canaryOf, type ModelAudit, type ModelJob, titleOf, type World } from './model.ts'
import type { Random } from './random.ts'

const statuses = ['pending', 'running', 'completed', 'error', 'retry', 'cancelled'] as const
const roles = ['owner', 'editor', 'viewer', 'guest']
export const types = ['alpha', 'beta', 'gamma']

/** Makes a world in an empty queue: twelve users, eight collections, three hundred jobs, whose every text names their collection. */
export async function buildWorld(database: TestDatabase, random: Random): Promise<World> {
  const world: World = {
    ...{ collections: Array.from({ length: 8 }, () => random.uuid()), access: new Map(), jobs: [], audit: [], pauses: [] },
    ...{ schedules: [], bulks: [], workers: [], ended: [], cursors: [], ownerOf: new Map() },
    users: Array.from({ length: 12 }, (_, n) => ({
      userId: random.uuid(),
      rights: n < 4 ? ['view', 'act', 'view_raw'] : n === 10 ? ['view'] : ['view', 'act'],
    })),
  }
  for (const id of world.collections) {
    await insertNode(database.db, { id, title: titleOf(world, id) })
    world.ownerOf.set(id, id)
  }
  for (const { userId } of world.users.slice(0, 11)) {
    for (const collection of random.some(world.collections, 5))
      await setAccess(database, world, { userId, collection, role: random.pick(roles) })
  }
  await addWorkers(database, world)
  for (let n = 0; n < 300; n++) world.jobs.push(await addJob(database, world, random))
  for (const collection of world.collections) await addSurroundings(database, world, { collection, random })
  return world
}

export interface Change {
  userId: string
  collection: string
  /** Left out: none. */
  role?: string
}

/** Gives, changes or takes a user's access. */
export async function setAccess(database: TestDatabase, world: World, { userId, collection, role }: Change): Promise<void> {
  await database.query('delete from node_access where user_id = $1 and node_id = $2', [userId, collection])
  const mine = world.access.get(userId) ?? new Map<string, string>()
  world.access.set(userId, mine)
  mine.delete(collection)
  if (role === undefined) return
  await database.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [userId, collection, role])
  mine.set(collection, role)
}

export const randomRole = (random: Random) => random.pick(roles)

/** Workers serve all, so they name no collection; their machine, and what a service answered, is nobody's business. */
async function addWorkers(database: TestDatabase, world: World): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const worker = await insertWorker(database.db, { types, host: 'canaryhostx', services: JSON.stringify({ alpha: ['speech'] }) })
    world.workers.push(worker.id)
  }
  await database.query(`insert into service_breakers (service, openings, opened_at, probe_at, failed_at, error_code, error_msg)
    values ('speech', 1, now(), now() + interval '1 hour', now(), 'HTTP_STATUS', 'It answered: canaryservicex')`)
}

/** Inserts a job of any state. Some share their moment with others, so that the order needs the id. */
export async function addJob(database: TestDatabase, world: World, random: Random): Promise<ModelJob> {
  const collection = random.pick(world.collections)
  const canary = canaryOf(world, collection)
  const status = random.pick(statuses)
  const type = random.chance(0.2) ? `only_${canary}` : random.pick(types)
  const failedOnce = status === 'error' || status === 'retry'
  const error = failedOnce ? `Failed ${random.int(3)} in ${canary}` : undefined
  const errorGroup = status === 'error' && random.chance(0.5) ? `abc${random.int(3)}` : null
  const inserted = await insertJob(database.db, {
    ...{ id: random.uuid(), collection_node_id: collection, job_type: type, status, error_group: errorGroup },
    created_at: new Date(Date.UTC(2026, 0, 1, 0, random.int(40))),
    payload: { note: `payload ${canary}`, list: [canary] },
    correlation_id: random.chance(0.5) ? `request-${canary}-${random.int(4)}` : null,
    ...(error !== undefined && { error_msg: error }),
    ...(status === 'completed' && { result: { said: canary } }),
    ...(status === 'running' && { worker_id: random.pick(world.workers), prefetched: random.chance(0.2) }),
    ...(status === 'running' && random.chance(0.5) && { progress: 0.5, progress_text: `progress ${canary}` }),
  })
  const { rows } = await database.query<{ us: string; n: number }>(
    `select (extract(epoch from created_at) * 1000000)::bigint::text as us,
      (select count(*)::int from job_attempts a where a.job_id = q.id) as n from job_queue q where id = $1`,
    [inserted.id],
  )
  world.ownerOf.set(inserted.id, collection)
  return {
    ...{ id: inserted.id, collection, type, status, createdUs: Number(rows[0]?.us), attempts: rows[0]?.n ?? 0, errorGroup },
    ...{ error: inserted.error_msg, correlationId: inserted.correlation_id, workerId: inserted.worker_id },
    ...{ prefetched: inserted.prefetched, cancelRequested: false, uniqueKey: null, held: false },
  }
}

interface Place {
  collection: string
  random: Random
}

async function addSurroundings(database: TestDatabase, world: World, { collection, random }: Place): Promise<void> {
  const canary = canaryOf(world, collection)
  for (const name of [`nightly ${canary}`, `weekly ${canary}`]) {
    const { rows } = await database.query<{ id: string }>(
      `insert into job_schedules (collection_node_id, name, job_type, payload, every_seconds, unique_key, error_msg)
       values ($1, $2, 'alpha', jsonb_build_object('of', $3::text), 3600, $3 || $2, 'wrong ' || $3) returning id`,
      [collection, name, canary],
    )
    const id = rows[0]?.id as string
    world.schedules.push({ id, collection, name, type: 'alpha' })
    world.ownerOf.set(id, collection)
  }
  if (random.chance(0.5)) {
    const type = random.pick([null, ...types])
    await database.query(`insert into job_pauses (job_type, collection_node_id, reason) values ($1, $2, $3)`, [
      type,
      collection,
      `since ${canary}`,
    ])
    world.pauses.push({ type, collection })
  }
  for (const job of world.jobs.filter((one) => one.collection === collection).slice(0, 4)) {
    const entry: ModelAudit = {
      ...{ actor: random.pick(world.users).userId, action: 'retry', outcome: 'refused', code: 'JOB_NOT_RETRYABLE', jobId: job.id },
      ...{ type: job.type, collection, bulkId: null },
    }
    await database.query(
      `insert into job_audit (actor, action, outcome, code, job_id, job_type, collection_node_id, reason) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [entry.actor, entry.action, entry.outcome, entry.code, job.id, job.type, collection, `because ${canary}`],
    )
    world.audit.push(entry)
  }
  await addActivity(database, world, { collection, random })
  await addBulk(database, world, { collection, random })
}

/** In this minute, this hour and this quarter. */
async function addActivity(database: TestDatabase, world: World, { collection, random }: Place): Promise<void> {
  for (const type of ['alpha', `only_${canaryOf(world, collection)}`]) {
    const jobs = 1 + random.int(1_000)
    await database.query(
      `insert into job_activity (collection_node_id, span, starts_at, job_type, completed)
       select $1, span, date_trunc(span, now(), 'UTC'), $2, $3 from unnest(array['minute', 'hour']) span`,
      [collection, type, jobs],
    )
    await database.query(`insert into job_durations values ($1, now(), $2, 'run', 20, $3)`, [collection, type, jobs])
    world.ended.push({ collection, type, jobs })
  }
}

/** Somebody's preview, in whose words are those of one user. */
async function addBulk(database: TestDatabase, world: World, { collection, random }: Place): Promise<void> {
  const owner = random.int(world.users.length)
  const actor = world.users[owner]?.userId as string
  const jobIds = world.jobs.filter((job) => job.collection === collection).map(({ id }) => id)
  const asked = JSON.stringify({ search: `canaryu${owner}x` })
  const { rows } = await database.query<{ id: string }>(
    `insert into job_bulk_actions (action, actor, filter, job_ids) values ('retry', $1, $2, $3) returning id`,
    [actor, asked, jobIds],
  )
  world.bulks.push({ id: rows[0]?.id as string, actor, action: 'retry', jobIds, state: 'frozen', outcomes: {}, asked })
}
