/** How to take over a `job_queue` that these migrations did not make. */
export interface AdoptOptions {
  /**
   * The collection of the jobs that have none: all of a queue without a tenant column. Its node must exist; where there are no
   * nodes at all it is made. Default: none, and a job without a tenant is a problem.
   */
  collectionNodeId?: string
  /** True: change nothing, only say what would be done, what it would lock, and what stands in its way. Default false. */
  dryRun?: boolean
  /** True: do not ask whether old workers are still connected. Default false: then nothing is done while some may be. */
  force?: boolean
}

/** What the jobs' tenant is called in the old table: the three historical shapes. */
export type QueueShape = 'no tenant' | 'workspace_id' | 'collection_node_id'

/** What is about to happen to an existing queue, and what stands in its way. */
export interface Adoption {
  shape: QueueShape
  /** Jobs by status. Empty when the table could not be read. */
  jobs: Record<string, number>
  /** Table, indexes and long values, in bytes. About as much again is needed while the table is written anew. */
  bytes: number
  /** In the order they run. */
  steps: AdoptionStep[]
  /** About how long nobody else can read or write `job_queue`, in milliseconds. */
  lockedMs: number
  /** What must be solved first. While there is one, nothing is changed. */
  problems: AdoptionProblem[]
  /** What is good to know: what stays different from a new queue, and what to do about it. */
  notes: string[]
  /** Old workers and other programs that use the queue now, or may. */
  connected: QueueSession[]
  /** Milliseconds since the youngest running job was started, when that was less than a minute ago. */
  startedMsAgo: number | null
}

/** One file that adopting runs. */
export interface AdoptionStep {
  /** As in `job_migrations`. */
  name: string
  does: string
  /** Steps of `takeover` are one transaction: all or nothing. Each of the others stands alone and can be run again. */
  part: 'before' | 'takeover' | 'after'
  /** The strongest lock it works under, like `ACCESS EXCLUSIVE on job_queue`; null for none on a table. */
  lock: string | null
  /** What others wait for meanwhile. The locks of `before` and `after` steps that block are held for an instant. */
  blocks: 'nothing' | 'writing' | 'everything'
  /** About how many rows it reads or writes. */
  rows: number
  /** About how long it takes, in milliseconds. */
  estimateMs: number
}

/** One reason why a queue cannot be adopted as it is. */
export interface AdoptionProblem {
  /** A stable name of the rule, like `job-type-empty`. */
  rule: string
  /** What was found. */
  message: string
  /** What to do about it. */
  remedy: string
  /** Statements that do it, where they can be given. Read them before running them: some delete. */
  sql?: string
  /** How many rows it concerns, where it is about rows. */
  count?: number
  /** Up to three ids of such jobs. */
  examples?: string[]
}

/** A session that uses the queue, or may. */
export interface QueueSession {
  /** Of its backend. */
  pid: number
  /** The role it logged in as. */
  user: string | null
  /** Its application_name. */
  application: string | null
  /** The client's address; `local` for a unix socket. */
  host: string
  /** Milliseconds since its last statement began or ended. */
  quietMs: number | null
  /** It holds a lock on the queue; its last statement named the queue; or this role may not see its statements. */
  evidence: 'holds a lock' | 'used the queue' | 'cannot be seen'
}
