import type { TestUser } from '../support.ts'
import { ask, expectSame, type Fuzz } from './ask.ts'
import { types } from './build-world.ts'
import { type ModelAudit, maySee, type World } from './model.ts'

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export async function readPauses(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world } = fuzz
  const { body } = await ask(fuzz, { user, path: '/pauses' })
  const hasAny = (world.access.get(user.userId)?.size ?? 0) > 0
  const expected = world.pauses.filter(({ collection }) => (collection === null ? hasAny : maySee(world, user, collection)))
  const got = body.pauses.map(({ type, collection_id }: Record<string, string | null>) => `${type} ${collection_id}`)
  expectSame(fuzz, 'pauses', [got.toSorted(), expected.map(({ type, collection }) => `${type} ${collection}`).toSorted()])
}

/** All pages. */
export async function readSchedules(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world, random } = fuzz
  const names: string[] = []
  const limit = 1 + random.int(6)
  let query = `?limit=${limit}`
  for (let pages = 0; pages < 20; pages++) {
    const { body } = await ask(fuzz, { user, path: `/schedules${query}` })
    names.push(...body.schedules.map((one: { name: string }) => one.name))
    const last = body.schedules.at(-1)
    if (body.schedules.length < limit) break
    query = `?limit=${limit}&after_collection_id=${last.collection_node_id}&after_name=${encodeURIComponent(last.name)}`
  }
  const expected = world.schedules.filter(({ collection }) => maySee(world, user, collection))
  const inOrder = expected.toSorted((a, b) => byText(a.collection, b.collection) || byText(a.name, b.name))
  expectSame(fuzz, 'schedules', [names, inOrder.map(({ name }) => name)])
}

/** What each of them runs, as far as it is the user's. */
export async function readWorkers(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world } = fuzz
  const { body } = await ask(fuzz, { user, path: '/workers' })
  const hasAny = (world.access.get(user.userId)?.size ?? 0) > 0
  const running = (id: string) =>
    world.jobs.filter((job) => job.workerId === id && job.status === 'running' && !job.prefetched && maySee(world, user, job.collection))
      .length
  const got = body.workers.map((worker: { id: string; running: number }) => `${worker.id} ${worker.running}`)
  const expected = hasAny || fuzz.walls === 'rows' || fuzz.walls === 'none' ? world.workers.map((id) => `${id} ${running(id)}`) : []
  expectSame(fuzz, 'workers', [got.toSorted(), expected.toSorted()])
}

/** Some pages, with a filter or none. */
export async function readAudit(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world, random } = fuzz
  const actor = random.chance(0.3) ? random.pick(world.users).userId : undefined
  const action = random.chance(0.3) ? random.pick(['retry', 'cancel', 'pause', 'read_raw']) : undefined
  const bulk = random.chance(0.2) && world.bulks.length > 0 ? random.pick(world.bulks).id : undefined
  const job = random.chance(0.2) ? random.pick(world.jobs).id : undefined
  const limit = 1 + random.int(60)
  const query = new URLSearchParams({
    ...{ limit: String(limit), ...(actor && { actor }), ...(action && { action }) },
    ...{ ...(bulk && { bulk_id: bulk }), ...(job && { job_id: job }) },
  })
  const entries: Partial<ModelAudit>[] = []
  for (let pages = 0; pages < 3; pages++) {
    const { body } = await ask(fuzz, { user, path: `/audit?${query}` })
    entries.push(...body.entries.map(shownAudit))
    if (body.next_before === null) break
    query.set('before', body.next_before)
  }
  const expected = auditOf(world, user).filter(
    (entry) =>
      (actor ?? entry.actor) === entry.actor &&
      (action ?? entry.action) === entry.action &&
      (bulk ?? entry.bulkId) === entry.bulkId &&
      (job ?? entry.jobId) === entry.jobId,
  )
  expectSame(fuzz, 'audit', [entries, expected.slice(0, 3 * limit).map(shownAudit)])
}

/** What was done in the user's collections, the newest first. */
export function auditOf(world: World, user: TestUser): ModelAudit[] {
  return world.audit.filter(({ collection }) => maySee(world, user, collection)).toReversed()
}

/** What of an entry is compared, of an answer and of the oracle. */
export function shownAudit(
  entry: Partial<ModelAudit & { job_id: string; job_type: string; collection_node_id: string; bulk_id: string }>,
): Partial<ModelAudit> {
  return {
    ...{ actor: entry.actor ?? null, action: entry.action ?? '', outcome: entry.outcome ?? '', code: entry.code ?? null },
    ...{ jobId: entry.jobId ?? entry.job_id ?? null },
    ...{ type: entry.type ?? entry.job_type ?? null, collection: entry.collection ?? entry.collection_node_id ?? null },
    bulkId: entry.bulkId ?? entry.bulk_id ?? null,
  }
}

/** Nobody is shown anything without a session. */
export async function askAsNobody(fuzz: Fuzz): Promise<void> {
  const path = fuzz.random.pick(['', `/${fuzz.random.pick(fuzz.world.jobs).id}`, '/counts', '/audit', '/events', `?type=${types[0]}`])
  const { status } = await ask(fuzz, { user: null, path })
  expectSame(fuzz, 'status', [status, 401])
}
