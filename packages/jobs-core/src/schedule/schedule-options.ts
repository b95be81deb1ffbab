import type { JobDefinition } from '../definition/define-job.ts'
import type { Misfire, Timing } from './timing.ts'

/** Which schedule: its collection and its name there. */
export interface ScheduleKey {
  /** The tenant: the node the jobs belong to, a uuid. */
  collectionNodeId: string
  /** 1 … 100 characters, unique in its collection. */
  name: string
}

/** A schedule as it should be; see {@link Timing} for when it ticks. */
export interface ScheduleOptions<Input = unknown> extends ScheduleKey, Timing {
  /** What each tick enqueues: a definition, whose schema the payload is checked against, or a job type's name. */
  job: JobDefinition<Input, unknown> | string
  /** What each job is given. */
  payload: NoInfer<Input>
  /** −32768 … 32767, higher first. Default: the definition's, else 0. */
  priority?: number | undefined
  /** 1 … 32767. Default: the definition's, else 3. */
  maxAttempts?: number | undefined
  /**
   * Keeps ticks from piling up: at most one waiting job (`until: 'claimed'`, the default), or one waiting or running (`'finished'`). `key`: a key
   * that other jobs of the type use too; default: one of the schedule's own. False: every tick has a job, as `misfire: 'all'` needs.
   */
  unique?: { key?: string | undefined; until?: 'claimed' | 'finished' | undefined } | false | undefined
  /**
   * What happens to ticks that are found more than a minute late, because no worker was there: `skip` them, make up for the `last` (default), or for
   * `all`, the newest hundred at most.
   */
  misfire?: Misfire | undefined
  /** False: it does not tick; ticks that pass are not made up for. Default: as it is, true for a new one. */
  enabled?: boolean | undefined
}
