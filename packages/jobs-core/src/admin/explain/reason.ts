import type { Snapshot } from './snapshot.ts'

/** Why a job is not running, or what it does instead. docs/operations.md says what each means and what to do. */
export type ReasonCode =
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELLED'
  | 'RUNNING'
  | 'CLAIMED_AHEAD'
  | 'RUNNER_LOST'
  | 'CANCEL_REQUESTED'
  | 'PAUSED'
  | 'SERVICE_DOWN'
  | 'SCHEDULED'
  | 'WAITS_FOR_RETRY'
  | 'SNOOZED'
  | 'NO_WORKER'
  | 'WORKERS_LOST'
  | 'WORKERS_DRAINING'
  | 'WORKERS_BUSY'
  | 'JOBS_AHEAD'
  | 'NEXT_POLL'

/** One of the reasons that {@link explainJob} found. */
export interface Reason {
  code: ReasonCode
  /** In English, with a full stop. */
  sentence: string
  /** What the sentence is made of: times as ISO text, counts, names. Which ones there are depends on the code. */
  facts: Readonly<Record<string, string | number | boolean | null>>
}

/** Looks at one thing that may keep a job from running. Pure: all there is to know stands in the snapshot. */
export type Rule = (snapshot: Snapshot) => Reason | readonly Reason[] | undefined
