import type { TestUser } from '../support.ts'
import { type Answer, ask, expectSame, type Fuzz } from './ask.ts'
import { types } from './build-world.ts'
import { canaryOf, type ModelAudit, type ModelJob, mayAct, maySee, STATES, WAITING } from './model.ts'
import { anyId } from './read-one.ts'

/** Retries or cancels any job, and compares the answer. */
export async function actOnJob(fuzz: Fuzz, user: TestUser, action: 'retry' | 'cancel'): Promise<void> {
  const id = anyId(fuzz, user)
  const job = fuzz.world.jobs.find((one) => one.id === id.toLowerCase())
  const reason = job ? `because ${canaryOf(fuzz.world, job.collection)}` : 'canaryhiddenx'
  const { status, body } = await ask(fuzz, { user, path: '', intention: `${action}_job`, body: { job_id: id, reason } })
  if (!user.rights?.includes('act')) return expectSame(fuzz, 'status', [status, 403])
  if (!/^[0-9a-f-]{36}$/i.test(id)) return expectSame(fuzz, 'status', [status, 400])
  const code = change(fuzz, { user, id: id.toLowerCase(), action, bulkId: null })
  expectSame(fuzz, 'answer', [[status, body.code ?? body.status], answerFor(action, code)])
  await expectState(fuzz, job ? [job] : [])
}

/** Previews many, by id or filter, and carries that out: as whoever made it, or somebody else. */
export async function actOnMany(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world, random } = fuzz
  const action = random.pick(['retry', 'cancel'] as const)
  const byIds = random.chance(0.5)
  const ids = Array.from({ length: 1 + random.int(12) }, () => anyId(fuzz, user)).filter((id) => /^[0-9a-f-]{36}$/.test(id))
  if (ids.length === 0) return
  const type = random.pick(types)
  const body = byIds ? { action, job_ids: ids } : { action, filter: { type, search: 'failed 1' } }
  const { status, body: made } = await ask(fuzz, { user, path: '', intention: 'preview_bulk', body })
  if (!user.rights?.includes('act')) return expectSame(fuzz, 'status', [status, 403])
  const fits = (job: ModelJob) => job.type === type && job.error?.toLowerCase().includes('failed 1') && STATES[action].includes(job.status)
  // Where the filters do not count, rows that may only be seen are frozen too; they are refused later.
  const mayFreeze = (job: ModelJob) => (fuzz.walls === 'rows' || fuzz.walls === 'none' ? maySee : mayAct)(world, user, job.collection)
  const newest = (a: ModelJob, b: ModelJob) => b.createdUs - a.createdUs || (a.id < b.id ? 1 : -1)
  const found = world.jobs.filter(fits).filter(mayFreeze).sort(newest)
  const jobIds = byIds ? [...new Set(ids)] : found.map(({ id }) => id)
  expectSame(fuzz, 'preview', [
    [status, made.jobs],
    [201, jobIds.length],
  ])
  world.bulks.push({ id: made.bulk_id, actor: user.userId, action, jobIds, state: 'frozen', outcomes: {}, asked: JSON.stringify(body) })
}

/** Runs or aborts anybody's bulk action. */
export async function runMany(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world, random } = fuzz
  const bulk = world.bulks.length > 0 ? random.pick(world.bulks.slice(-20)) : undefined
  const intention = random.chance(0.8) ? 'run_bulk' : 'abort_bulk'
  const isTheirs = bulk !== undefined && bulk.actor === user.userId
  const ask1 = () => ask(fuzz, { user, path: '', intention, body: { bulk_id: bulk?.id ?? random.uuid() }, own: isTheirs ? bulk.asked : '' })
  let answer: Answer = await ask1()
  while (answer.status === 202) answer = await ask1()
  if (!user.rights?.includes('act')) return expectSame(fuzz, 'status', [answer.status, 403])
  if (!isTheirs || (intention === 'abort_bulk' && bulk.state === 'finished')) return expectSame(fuzz, 'status', [answer.status, 404])
  if (intention === 'abort_bulk') bulk.state = 'aborted'
  else if (bulk.state === 'frozen') {
    bulk.state = 'finished'
    for (const id of bulk.jobIds) {
      const code = change(fuzz, { user, id, action: bulk.action, bulkId: bulk.id })
      bulk.outcomes[code] = (bulk.outcomes[code] ?? 0) + 1
    }
  }
  const tally = (outcomes: object) => Object.entries(outcomes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  expectSame(fuzz, 'receipt', [
    [answer.status, tally(answer.body.outcomes)],
    [200, tally(bulk.outcomes)],
  ])
  await expectState(
    fuzz,
    world.jobs.filter(({ id }) => bulk.jobIds.includes(id)),
  )
}

interface Act {
  user: TestUser
  id: string
  action: 'retry' | 'cancel'
  bulkId: string | null
}

/** Does to the model what the database does, and tells the outcome or the code of the refusal. */
function change({ world }: Fuzz, { user, id, action, bulkId }: Act): string {
  const job = world.jobs.find((one) => one.id === id)
  const seen = job && maySee(world, user, job.collection) ? job : undefined
  const code = codeOf(seen, { isTheirs: seen !== undefined && mayAct(world, user, seen.collection), action, all: world.jobs })
  const isDone = code === 'applied' || code === 'requested'
  const entry: ModelAudit = {
    ...{ actor: user.userId, action, outcome: isDone ? code : 'refused', code: isDone ? null : code, jobId: id },
    ...{ type: seen?.type ?? null, collection: seen?.collection ?? null, bulkId },
  }
  world.audit.push(entry)
  if (!seen || !isDone) return code
  if (code === 'requested') seen.cancelRequested = true
  else if (action === 'cancel') Object.assign(seen, { status: 'cancelled', held: false, error: seen.error ?? 'Cancelled on request.' })
  else Object.assign(seen, { status: 'pending', held: seen.uniqueKey !== null, attempts: seen.attempts + 1 })
  return code
}

function codeOf(
  job: ModelJob | undefined,
  { isTheirs, action, all }: { isTheirs: boolean; action: 'retry' | 'cancel'; all: ModelJob[] },
): string {
  if (!job) return 'JOB_NOT_FOUND'
  if (!isTheirs) return 'JOB_FORBIDDEN'
  if (!STATES[action].includes(job.status)) return action === 'retry' ? 'JOB_NOT_RETRYABLE' : 'JOB_NOT_CANCELLABLE'
  if (action === 'cancel') return job.status === 'running' ? 'requested' : 'applied'
  const holder = all.find((one) => one !== job && one.held && one.uniqueKey === job.uniqueKey && one.collection === job.collection)
  return job.uniqueKey !== null && holder ? 'UNIQUE_KEY_TAKEN' : 'applied'
}

function answerFor(action: 'retry' | 'cancel', code: string): [number, string] {
  if (code === 'applied') return [200, action === 'retry' ? 'pending' : 'cancelled']
  if (code === 'requested') return [202, 'requested']
  if (code === 'JOB_NOT_FOUND') return [404, code]
  return [code === 'JOB_FORBIDDEN' ? 403 : 409, code]
}

/** What the database holds of these jobs. */
export async function expectState(fuzz: Fuzz, jobs: readonly ModelJob[]): Promise<void> {
  const { rows } = await fuzz.admin.database.query<{ line: string }>(
    `select concat_ws(' ', id, status, cancel_requested_at is not null, unique_held) as line from job_queue where id = any($1) order by 1`,
    [jobs.map(({ id }) => id)],
  )
  const expected = jobs.map((job) => `${job.id} ${job.status} ${job.cancelRequested ? 't' : 'f'} ${job.held ? 't' : 'f'}`)
  expectSame(fuzz, 'state', [rows.map(({ line }) => line), expected.toSorted()])
}

export function isWaiting({ status }: ModelJob): boolean {
  return WAITING.includes(status)
}
