/** What a job of a measurement does. */
export type Task = 'no-op' | '1 ms' | '50 ms'

/** What every job carries: its number, and in measurements of latency when it was enqueued, by the machine's monotonic clock. */
export interface JobData {
  n: number
  atMs?: number
}

/** How a worker process is to run. */
export interface WorkerSettings {
  connectionString: string
  task: Task
  /** Each job whose number this divides throws; 0: none does. */
  failEvery: number
  /** The job type to run. */
  type: string
  /** Called as each handler begins. */
  onStart(data: JobData): void
  /** Called as each handler ends, well or not. */
  onEnd(): void
}

export interface RunningWorker {
  stop(): Promise<void>
}

export interface ManyOptions {
  type: string
  /** Due so much later, and before all others then. */
  delayMs?: number
  /** True: one attempt only, so that what fails has failed for good. */
  once?: boolean
}

/** What enqueues. */
export interface Producer {
  enqueue(data: JobData): Promise<void>
  /** Many jobs in the fastest way the queue documents. */
  enqueueMany(data: readonly JobData[], options: ManyOptions): Promise<void>
  close(): Promise<void>
}

/** One queue in one configuration. Every one of them runs on the same server, each in a database of its own. */
export interface Contender {
  /** Makes the schema in an empty database, as a superuser. */
  install(connectionString: string): Promise<void>
  openProducer(connectionString: string, connections: number): Promise<Producer>
  startWorker(settings: WorkerSettings): Promise<RunningWorker>
  /** The class of node-postgres whose objects run its statements. */
  readonly client: { prototype: object }
  /** True for the text of the statement that claims jobs. */
  isClaim(sql: string): boolean
  /** One row: is there nothing that waits to run or runs? */
  readonly isDrainedSql: string
  /** One row: how many jobs are taken and not finished. */
  readonly takenSql: string
  /** The tables whose dead rows matter. */
  readonly tables: readonly string[]
  /** Adds finished jobs: $1 is how many. Undefined where finished jobs are deleted. */
  readonly fillFinishedSql?: string
  /** How long jobs of a killed worker stay taken, as documented. */
  readonly lease: string
}

/** The types of jobs that measurements use. */
export const mainType = 'bench'
export const otherType = 'bench_other'

/** The machine's clock, which is one for all processes of it. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** What a handler of the measurement does, whatever the queue. */
export async function perform(settings: WorkerSettings, data: JobData): Promise<void> {
  settings.onStart(data)
  try {
    if (settings.task !== 'no-op') await new Promise((resolve) => setTimeout(resolve, settings.task === '1 ms' ? 1 : 50))
    if (settings.failEvery > 0 && data.n % settings.failEvery === 0) throw new Error('fails as it was told to')
  } finally {
    settings.onEnd()
  }
}
