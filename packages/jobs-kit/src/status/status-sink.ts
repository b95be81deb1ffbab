import type { JobStatus } from '@sidelinja/jobs-core/admin'

/** How a job stands, for who watches it. Ids and a short text: never a payload, a result or an error's text. */
export interface JobStatusUpdate {
  readonly jobId: string
  readonly collectionNodeId: string
  readonly jobType: string
  readonly status: JobStatus
  /** How many attempts are used up; of a running job, the one it is at. */
  readonly attempt: number
  readonly maxAttempts: number
  /** 0 … 1: of the run while it lasts, 1 when the job is completed, else 0. */
  readonly progress: number
  /** In Norwegian: what the handler says it does, or what the status means. At most 200 characters. */
  readonly message: string
  /** The worker's clock. Of one job and one worker never earlier than before. */
  readonly updatedAt: Date
}

/** Where changes of status are sent to. Write one for another service; `createStatusPublisher` does the rest: order, pace, outages. */
export interface StatusSink {
  /** The name in reports. */
  readonly name: string
  /**
   * Sends one update, once. A rejection means that it may not have arrived: the newest of the job is sent again later. Never called for one job
   * twice at a time. `signal` is aborted when nobody waits any more.
   */
  send(update: JobStatusUpdate, options: { timeoutMs: number; signal: AbortSignal }): Promise<void>
  /** True for an error that says something about this update and not about the service: such an update is given up after three tries. */
  isRefusal?(error: unknown): boolean
}
