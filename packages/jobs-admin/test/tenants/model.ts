import { createHash } from 'node:crypto'
import type { TestUser } from '../support.ts'

/** A job as the oracle knows it. */
export interface ModelJob {
  id: string
  collection: string
  type: string
  status: string
  /** Microseconds since 1970. */
  createdUs: number
  error: string | null
  errorGroup: string | null
  correlationId: string | null
  workerId: string | null
  prefetched: boolean
  cancelRequested: boolean
  /** Of a unique key: whether it is held. */
  uniqueKey: string | null
  held: boolean
  attempts: number
}

export interface ModelAudit {
  actor: string | null
  action: string
  outcome: string
  code: string | null
  jobId: string | null
  type: string | null
  collection: string | null
  bulkId: string | null
}

export interface ModelPause {
  type: string | null
  collection: string | null
}

export interface ModelSchedule {
  id: string
  collection: string
  name: string
  type: string
}

export interface ModelBulk {
  id: string
  actor: string
  action: 'retry' | 'cancel'
  jobIds: string[]
  state: 'frozen' | 'finished' | 'aborted'
  outcomes: Record<string, number>
  /** What its maker wrote, which comes back to them. */
  asked: string
}

/** Everything there is, in plain objects, and who may see it. */
export interface World {
  collections: string[]
  users: TestUser[]
  /** By user: the roles by collection. */
  access: Map<string, Map<string, string>>
  jobs: ModelJob[]
  audit: ModelAudit[]
  pauses: ModelPause[]
  schedules: ModelSchedule[]
  bulks: ModelBulk[]
  workers: string[]
  /** What ended of each collection, of a type that names it and of one that all have. */
  ended: { collection: string; type: string; jobs: number }[]
  /** Of anybody's pages. */
  cursors: string[]
  /** Which collection a uuid belongs to. */
  ownerOf: Map<string, string>
}

export const WAITING = ['pending', 'retry']
export const STATES = { retry: ['error', 'cancelled', 'retry'], cancel: ['pending', 'retry', 'running'] }

export function maySee(world: World, user: TestUser, collection: string | null): boolean {
  return collection !== null && (world.access.get(user.userId)?.has(collection) ?? false)
}

export function mayAct(world: World, user: TestUser, collection: string): boolean {
  return ['owner', 'editor'].includes(world.access.get(user.userId)?.get(collection) ?? '')
}

/** Names its collection wherever it turns up. */
export function canaryOf(world: World, collection: string): string {
  return `canaryc${world.collections.indexOf(collection)}x`
}

export const titleOf = (world: World, collection: string) => `Title ${canaryOf(world, collection)}`

export function visibleJobs(world: World, user: TestUser): ModelJob[] {
  return world.jobs.filter((job) => maySee(world, user, job.collection)).sort(newestFirst)
}

export function groupOf({ errorGroup, type, error }: ModelJob): string {
  return (
    errorGroup ??
    createHash('md5')
      .update(`${type} ${error ?? ''}`)
      .digest('hex')
  )
}

function newestFirst(a: ModelJob, b: ModelJob): number {
  if (a.createdUs !== b.createdUs) return b.createdUs - a.createdUs
  return a.id < b.id ? 1 : -1
}
