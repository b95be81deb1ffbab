import { clearQueue } from '@sidelinja/jobs-core/testing'
import type { TestAdmin, TestUser } from '../support.ts'
import { actOnJob, actOnMany, expectState, runMany } from './act.ts'
import { pauseOrResume, summarize } from './act-on-collections.ts'
import { expectSame, type Fuzz, type Walls } from './ask.ts'
import { addJob, buildWorld, randomRole, setAccess } from './build-world.ts'
import { createRandom } from './random.ts'
import { readActivity, readAllPages, readCounts, readErrorGroups, readPage } from './read-lists.ts'
import { explainJob, readBulk, readJob, readRaw, readResult } from './read-one.ts'
import { askAsNobody, readAudit, readPauses, readSchedules, readWorkers, shownAudit } from './read-others.ts'
import { closeListener, type Listener, openListener, rememberAccess } from './streams.ts'

export interface FuzzOptions {
  seed: number
  steps: number
  walls?: Walls
  /** Told of every thousandth step. */
  progress?: (step: number) => void
}

export interface Findings {
  leaks: string[]
  wrong: string[]
}

/** A world grows for so long; then there is a new one. */
const stepsPerWorld = 2_000
const enough = 5

type Step = (fuzz: Fuzz, user: TestUser) => Promise<void>

/** Each as often as its number says. */
const kinds: readonly [number, Step][] = [
  [16, readPage],
  [3, readAllPages],
  [10, readJob],
  [5, explainJob],
  [5, readResult],
  [4, readRaw],
  [3, readCounts],
  [2, readActivity],
  [4, readErrorGroups],
  [3, readPauses],
  [2, readSchedules],
  [2, readWorkers],
  [6, readAudit],
  [4, readBulk],
  [8, (fuzz, user) => actOnJob(fuzz, user, 'retry')],
  [8, (fuzz, user) => actOnJob(fuzz, user, 'cancel')],
  [3, actOnMany],
  [3, runMany],
  [5, pauseOrResume],
  [3, summarize],
  [6, changeAccess],
  [2, async (fuzz) => void fuzz.world.jobs.push(await addJob(fuzz.admin.database, fuzz.world, fuzz.random))],
  [1, askAsNobody],
]
const deck = kinds.flatMap(([times, step]) => Array<Step>(times).fill(step))

/** Random users ask for random things and do them, and every answer is compared with an oracle. */
export async function runFuzz(admin: TestAdmin, { seed, steps, walls = 'both', progress }: FuzzOptions): Promise<Findings> {
  const leaks: string[] = []
  const wrong: string[] = []
  for (let done = 0; done < steps && leaks.length + wrong.length < enough; done += stepsPerWorld) {
    const random = createRandom(seed + done)
    await clearQueue(admin.database.db)
    await admin.database.query('delete from nodes')
    const fuzz: Fuzz = { admin, random, walls, leaks, wrong, trail: '', world: await buildWorld(admin.database, random) }
    await runWorld(fuzz, { done, steps: Math.min(stepsPerWorld, steps - done), progress })
  }
  return { leaks, wrong }
}

interface Part {
  /** Steps in worlds before. */
  done: number
  steps: number
  progress: ((step: number) => void) | undefined
}

async function runWorld(fuzz: Fuzz, { done, steps, progress }: Part): Promise<void> {
  let listeners: Listener[] = []
  for (let step = 0; step < steps && fuzz.leaks.length + fuzz.wrong.length < enough; step++) {
    const user = fuzz.random.pick(fuzz.world.users)
    if (listeners.length < 3 && fuzz.random.chance(0.05)) listeners.push(await openListener(fuzz, user, step))
    await fuzz.random.pick(deck)(fuzz, user)
    rememberAccess(fuzz, listeners)
    for (const listener of listeners) if (listener.closeAfter <= step) closeListener(fuzz, listener)
    listeners = listeners.filter(({ stop }) => !stop.signal.aborted)
    if ((done + step + 1) % 1_000 === 0) progress?.(done + step + 1)
  }
  for (const listener of listeners) closeListener(fuzz, listener)
  await expectWhole(fuzz)
}

async function changeAccess({ admin, world, random }: Fuzz): Promise<void> {
  // The last user never has any.
  const { userId } = random.pick(world.users.slice(0, -1))
  const collection = random.pick(world.collections)
  await setAccess(admin.database, world, { userId, collection, ...(random.chance(0.55) && { role: randomRole(random) }) })
}

/** At the end: every job, every pause and the whole audit, as the oracle has them. */
async function expectWhole(fuzz: Fuzz): Promise<void> {
  const { admin, world } = fuzz
  fuzz.trail = 'at the end'
  await expectState(fuzz, world.jobs)
  const pauses = await admin.database.query<{ line: string }>(
    `select concat(coalesce(job_type, 'null'), ' ', coalesce(collection_node_id::text, 'null')) as line from job_pauses`,
  )
  const expected = world.pauses.map(({ type, collection }) => `${type} ${collection}`)
  expectSame(fuzz, 'pauses', [pauses.rows.map(({ line }) => line).toSorted(), expected.toSorted()])
  const audit = await admin.database.query(`select * from job_audit order by id`)
  expectSame(fuzz, 'number of entries', [audit.rows.length, world.audit.length])
  for (const [index, entry] of world.audit.entries()) {
    expectSame(fuzz, `entry ${index} of the audit`, [shownAudit(audit.rows[index] ?? {}), shownAudit(entry)])
    if (fuzz.wrong.length >= enough) return
  }
}
