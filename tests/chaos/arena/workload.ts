import { type EnqueueOptions, enqueueByType } from '@sidelinja/jobs-core'
import type { Pool, PoolClient } from 'pg'
import type { Note } from '../history/process-log.ts'
import type { ChaosType, Payload } from '../process/payload.ts'
import type { Random } from '../random.ts'

interface Shape {
  type: ChaosType
  /** How many of a hundred jobs. */
  share: number
  ms: readonly [number, number]
  maxAttempts?: number
}

/** Many that do nothing, and some of each kind; a few long enough to be running when something breaks. */
const shapes: readonly Shape[] = [
  { type: 'chaos_plain', share: 42, ms: [0, 2] },
  { type: 'chaos_plain', share: 14, ms: [150, 600] },
  { type: 'chaos_write', share: 18, ms: [0, 120] },
  { type: 'chaos_steps', share: 10, ms: [0, 60] },
  { type: 'chaos_retry', share: 6, ms: [0, 10] },
  { type: 'chaos_snooze', share: 5, ms: [0, 10] },
  { type: 'chaos_refuse', share: 3, ms: [0, 10] },
  { type: 'chaos_exhaust', share: 2, ms: [0, 10], maxAttempts: 2 },
]

/** Enough that being killed with its worker again and again does not end a job before its time. */
const maxAttempts = 12
const batchSize = 25
/** This share of transactions is rolled back: none of its jobs may be there. */
const rolledBackShare = 0.03

export interface Workload {
  /** Enqueues so many jobs more, in transactions of 25. What the database answered is written down for each. */
  add(count: number): Promise<void>
}

interface Parts {
  pool: Pool
  collectionNodeId: string
  random: Random
  note: (note: Note) => void
  /** Begins the correlation ids. */
  tag: string
}

export function createWorkload(parts: Parts): Workload {
  let number = 0
  return {
    async add(count) {
      for (let left = count; left > 0; left -= batchSize) {
        const jobs = Array.from({ length: Math.min(left, batchSize) }, () => makeJob(parts, ++number))
        await enqueueTogether(parts, jobs, parts.random.chance(rolledBackShare))
      }
    },
  }
}

interface Job {
  type: ChaosType
  payload: Payload
  options: Omit<EnqueueOptions, 'collectionNodeId'> & { correlationId: string }
}

function makeJob({ random, tag }: Parts, number: number): Job {
  const { type, ms, ...shape } = pickShape(random)
  const payload: Payload = { ms: random.between(...ms) }
  const options: Job['options'] = {
    correlationId: `${tag}:${number}`,
    maxAttempts: shape.maxAttempts ?? maxAttempts,
    priority: random.pick([0, 0, 1, 5, 10]),
  }
  if (random.chance(0.1)) options.scheduledFor = new Date(Date.now() + random.between(0, 1_500))
  if (type === 'chaos_plain' && random.chance(0.1)) {
    payload.version = number
    options.unique = {
      key: `key-${random.between(1, 5)}`,
      until: random.pick(['claimed', 'finished']),
      onConflict: random.pick(['keep', 'replace', 'debounce']),
    }
  }
  return { type, payload, options }
}

function pickShape(random: Random): Shape {
  let left = random.next() * shapes.reduce((sum, { share }) => sum + share, 0)
  const found = shapes.find(({ share }) => {
    left -= share
    return left < 0
  })
  return found ?? (shapes[0] as Shape)
}

/** What became of a transaction whose commit has no answer is not known; the jobs are not enqueued again. */
async function enqueueTogether({ pool, collectionNodeId, note }: Parts, jobs: readonly Job[], rollBack: boolean): Promise<void> {
  const answers: { job: string; tag: string }[] = []
  for (const { options } of jobs) note({ kind: 'asked', tag: options.correlationId })
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { type, payload, options } of jobs) {
      const { id } = await enqueueByType(client, type, payload, { ...options, collectionNodeId })
      answers.push({ job: id, tag: options.correlationId })
    }
    await end(client, rollBack)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
  for (const { job, tag } of answers) note(rollBack ? { kind: 'rolled_back', tag } : { kind: 'acknowledged', job, tag })
}

async function end(client: PoolClient, rollBack: boolean): Promise<void> {
  await client.query(rollBack ? 'rollback' : 'commit')
}
