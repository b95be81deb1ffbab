import type { TestUser } from '../support.ts'
import { isWaiting } from './act.ts'
import { ask, expectSame, type Fuzz } from './ask.ts'
import { types } from './build-world.ts'
import { canaryOf, type ModelAudit, mayAct, maySee } from './model.ts'

/** Pauses or ends a pause in any collection. */
export async function pauseOrResume(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world, random } = fuzz
  const action = random.pick(['pause', 'resume'] as const)
  const collection = anyCollection(fuzz, user)
  const type = random.pick([null, ...types])
  const reason = maySee(world, user, collection) ? `new model ${canaryOf(world, collection)}` : 'canaryhiddenx'
  const asked = { collection_id: collection, ...(type !== null && { type }), reason }
  const { status, body } = await ask(fuzz, { user, path: '', intention: `${action}_jobs`, body: asked })
  if (!user.rights?.includes('act')) return expectSame(fuzz, 'status', [status, 403])
  const about = { user, collection, type, action }
  if (!mayAct(world, user, collection)) {
    note(fuzz, about, 'PAUSE_OUT_OF_SCOPE')
    return expectSame(fuzz, 'status', [refusedResume(fuzz, { status, body }), 404])
  }
  expectSame(fuzz, 'status', [status, 200])
  const existing = world.pauses.find((one) => one.type === type && one.collection === collection)
  if (action === 'pause') {
    note(fuzz, about, existing ? 'unchanged' : 'applied')
    if (!existing) world.pauses.push({ type, collection })
    return
  }
  expectSame(fuzz, 'resumed', [body.resumed, existing !== undefined])
  note(fuzz, about, existing ? 'applied' : 'unchanged')
  world.pauses = world.pauses.filter((one) => one !== existing)
}

function anyCollection({ world, random }: Fuzz, user: TestUser): string {
  const theirs = [...(world.access.get(user.userId)?.keys() ?? [])]
  if (theirs.length > 0 && random.chance(0.5)) return random.pick(theirs)
  return random.chance(0.9) ? random.pick(world.collections) : random.uuid()
}

/** Where only the rows' wall stands, a pause that is not the user's is none. */
function refusedResume({ walls }: Fuzz, { status, body }: { status: number; body: { resumed?: boolean } }): number {
  return (walls === 'rows' || walls === 'none') && body.resumed === false ? 404 : status
}

interface About {
  user: TestUser
  collection: string
  type: string | null
  action: string
  jobId?: string
}

/** An entry of the audit; one about a collection the user does not see names none. */
function note({ world }: Fuzz, { user, collection, type, action, jobId }: About, outcome: string): void {
  const isRefused = outcome === outcome.toUpperCase()
  const entry: ModelAudit = {
    ...{ actor: user.userId, action, outcome: isRefused ? 'refused' : outcome, code: isRefused ? outcome : null },
    ...{ jobId: jobId ?? null, type, collection: maySee(world, user, collection) ? collection : null, bulkId: null },
  }
  world.audit.push(entry)
}

/** Orders a summary in any collection: one at a time for a node. */
export async function summarize(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { world, random } = fuzz
  const collection = anyCollection(fuzz, user)
  const node = `00000000-0000-4000-8000-00000000000${random.int(3)}`
  const { status, body } = await ask(fuzz, { user, path: '', intention: 'summarize', body: { collection_id: collection, node_id: node } })
  if (!user.rights?.includes('act')) return expectSame(fuzz, 'status', [status, 403])
  const type = 'summarize_communication'
  if (!mayAct(world, user, collection)) {
    note(fuzz, { user, collection, type, action: 'summarize' }, 'COLLECTION_NOT_FOUND')
    return expectSame(fuzz, 'status', [status, 404])
  }
  const uniqueKey = `node ${node}`
  const holder = world.jobs.find((job) => job.held && job.uniqueKey === uniqueKey && job.collection === collection && isWaiting(job))
  expectSame(fuzz, 'order', [
    [status, body.outcome],
    [202, holder ? 'kept' : 'created'],
  ])
  if (holder) expectSame(fuzz, 'the one that waits', [body.job_id, holder.id])
  else {
    const { rows } = await fuzz.admin.database.query<{ us: string }>(
      'select (extract(epoch from created_at) * 1000000)::bigint::text as us from job_queue where id = $1',
      [body.job_id],
    )
    world.jobs.push({
      ...{ id: body.job_id, collection, type, status: 'pending', createdUs: Number(rows[0]?.us), error: null, errorGroup: null },
      ...{ correlationId: null, workerId: null, prefetched: false, cancelRequested: false, uniqueKey, held: true, attempts: 0 },
    })
    world.ownerOf.set(body.job_id, collection)
  }
  note(fuzz, { user, collection, type, action: 'summarize', jobId: body.job_id }, 'applied')
}
