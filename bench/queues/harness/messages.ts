import type { Task } from '../contender.ts'
import type { ContenderName } from '../contenders.ts'
import type { Percentiles } from './numbers.ts'

/** What a child process is told when it is started. */
export interface WorkerOrder {
  role: 'worker'
  contender: ContenderName
  connectionString: string
  type: string
  task: Task
  failEvery: number
}

export interface ProducerOrder {
  role: 'producer'
  contender: ContenderName
  connectionString: string
}

export type Order = WorkerOrder | ProducerOrder

/** How a producer is to enqueue, and how much. */
export type Enqueue =
  | { how: 'single'; clients: number; seconds: number }
  | { how: 'bulk'; jobs: number; batch: number; type: string; delayMs?: number; once?: boolean }
  | { how: 'paced'; perSecond: number; seconds: number }
  | { how: 'probes'; count: number; pauseMs: [from: number, to: number] }

/** Of what a worker has done since it was last asked. */
export interface WorkerReport {
  started: number
  ended: number
  /** From before the enqueue to the start of the handler, of jobs that carry their time. */
  pickUp: Percentiles
  claims: Percentiles
  rssMb: number
  /** Processor time of the process since it was started. */
  cpuMs: number
}

export type ToChild = { ask: 'go' } | { ask: 'enqueue'; enqueue: Enqueue } | { ask: 'report' } | { ask: 'stop' }

export type FromChild =
  | { tell: 'ready' }
  | { tell: 'started' }
  /** How many handlers have ended so far; at most every 20 ms. */
  | { tell: 'ended'; total: number }
  | { tell: 'enqueued'; jobs: number; seconds: number }
  | { tell: 'report'; report: WorkerReport }
  | { tell: 'stopped' }
  | { tell: 'failed'; error: string }
