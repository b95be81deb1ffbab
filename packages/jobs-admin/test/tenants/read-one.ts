import type { TestUser } from '../support.ts'
import { ask, expectSame, type Fuzz } from './ask.ts'
import { canaryOf, type ModelJob, maySee, WAITING } from './model.ts'
import { expectedOf, expectMayAct, shownOf } from './read-lists.ts'
import { auditOf, shownAudit } from './read-others.ts'

/** An id of a job of anybody, of none, or what is no id. */
export function anyId({ world, random }: Fuzz, user: TestUser): string {
  const theirs = world.jobs.filter(({ collection }) => maySee(world, user, collection))
  if (theirs.length > 0 && random.chance(0.6)) return random.pick(theirs).id
  if (random.chance(0.06)) return random.uuid()
  if (random.chance(0.04)) return random.pick(['not-a-uuid', '%00', "'; drop table job_queue", 'a'.repeat(300), '../../etc/passwd'])
  const { id } = random.pick(world.jobs)
  return random.chance(0.1) ? id.toUpperCase() : id
}

/** The job of that id, if the user may see it. */
function jobFor({ world }: Fuzz, user: TestUser, id: string): ModelJob | undefined {
  const job = world.jobs.find((one) => one.id === id.toLowerCase())
  return job && maySee(world, user, job.collection) ? job : undefined
}

export async function readJob(fuzz: Fuzz, user: TestUser): Promise<void> {
  const id = anyId(fuzz, user)
  const { status, body } = await ask(fuzz, { user, path: `/${encodeURIComponent(id)}` })
  const job = jobFor(fuzz, user, id)
  expectSame(fuzz, 'status', [status, job ? 200 : 404])
  if (!job) return
  expectSame(fuzz, 'job', [shownOf(body.job), expectedOf(fuzz.world, job)])
  expectMayAct(fuzz, user, [body.job])
  expectSame(fuzz, 'attempts', [body.attempts.length, job.attempts])
  const audit = auditOf(fuzz.world, user).filter(({ jobId }) => jobId === job.id)
  expectSame(fuzz, 'audit', [body.audit.map(shownAudit), audit.slice(0, 50).map(shownAudit)])
  if (job.uniqueKey === null) expectSame(fuzz, 'payload', [body.job.payload.list, [canaryOf(fuzz.world, job.collection)]])
}

export async function explainJob(fuzz: Fuzz, user: TestUser): Promise<void> {
  const id = anyId(fuzz, user)
  const { status, body } = await ask(fuzz, { user, path: `/${encodeURIComponent(id)}/explain` })
  const job = jobFor(fuzz, user, id)
  expectSame(fuzz, 'status', [status, job ? 200 : 404])
  if (!job) return
  const holding = fuzz.world.pauses.filter(
    ({ type, collection }) => (type ?? job.type) === job.type && (collection ?? job.collection) === job.collection,
  )
  const paused = body.reasons.filter(({ code }: { code: string }) => code === 'PAUSED').length
  expectSame(fuzz, 'pauses that hold it', [paused, WAITING.includes(job.status) ? holding.length : 0])
}

/** What a finished job came to. */
export async function readResult(fuzz: Fuzz, user: TestUser): Promise<void> {
  const id = anyId(fuzz, user)
  const { status, body } = await ask(fuzz, { user, path: `/${encodeURIComponent(id)}/result` })
  const job = jobFor(fuzz, user, id)
  expectSame(fuzz, 'status', [status, job ? 200 : 404])
  if (job) expectSame(fuzz, 'whether it is finished', [body.run !== null, job.status === 'completed'])
}

export async function readRaw(fuzz: Fuzz, user: TestUser): Promise<void> {
  const id = anyId(fuzz, user)
  const { status, body } = await ask(fuzz, { user, path: `/${encodeURIComponent(id)}/raw` })
  const job = jobFor(fuzz, user, id)
  const allowed = user.rights?.includes('view_raw')
  expectSame(fuzz, 'status', [status, allowed ? (job ? 200 : 404) : 403])
  if (!job || !allowed) return
  if (job.uniqueKey === null) expectSame(fuzz, 'payload', [body.payload.list, [canaryOf(fuzz.world, job.collection)]])
  const { id: jobId, type, collection } = job
  fuzz.world.audit.push({ actor: user.userId, action: 'read_raw', outcome: 'applied', code: null, jobId, type, collection, bulkId: null })
}

export async function readBulk(fuzz: Fuzz, user: TestUser): Promise<void> {
  const bulk = fuzz.world.bulks.length > 0 ? fuzz.random.pick(fuzz.world.bulks) : undefined
  const isTheirs = bulk?.actor === user.userId
  const { status, body } = await ask(fuzz, {
    ...{ user, path: `/bulk/${bulk?.id ?? fuzz.random.uuid()}` },
    ...(isTheirs && bulk && { own: bulk.asked }),
  })
  expectSame(fuzz, 'status', [status, isTheirs ? 200 : 404])
  if (isTheirs && bulk)
    expectSame(fuzz, 'receipt', [
      [body.jobs, sorted(body.outcomes)],
      [bulk.jobIds.length, sorted(bulk.outcomes)],
    ])
}

function sorted(outcomes: Record<string, number>): [string, number][] {
  return Object.entries(outcomes).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
