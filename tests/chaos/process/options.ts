import type { PointName } from './kill-points.ts'
import type { Role } from './role.ts'

/** What a process of the chaos program is told, as JSON in its first argument. */
export interface ProcessOptions {
  connection: string
  /** Where to write its events. */
  log: string
  role: Role
  collectionNodeId: string
  /** Kills itself at the n-th time it comes to this point. */
  kill?: { point: PointName; nth: number } | undefined
  clockShiftMs?: number | undefined
  leaseMs: number
  pollIntervalMs: number
  maxConcurrent: number
  drainMs: number
  /** Tells what this process enqueues apart from what others do. */
  tag: string
}

export function readOptions(): ProcessOptions {
  return JSON.parse(process.argv[2] ?? '{}') as ProcessOptions
}
