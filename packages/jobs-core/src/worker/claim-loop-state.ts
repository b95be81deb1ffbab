import type { DownService } from '../queue/find-down-services.ts'
import type { Completions } from './completions.ts'
import type { HeldWatch } from './held-watch.ts'
import type { IdleMark } from './idle-mark.ts'
import type { PauseWatch } from './pause-watch.ts'
import type { Pipeline } from './pipeline.ts'
import type { Pulse } from './pulse.ts'
import type { Runtime } from './runtime.ts'
import type { ServiceWatch } from './service-watch.ts'
import type { Wakes } from './wakes.ts'

/** How long to wait after a failure, and after each further one twice as long. */
export const firstRetryMs = 200

/** What the claim loop is made of. */
export interface LoopParts {
  runtime: Runtime
  pipeline: Pipeline
  completions: Completions
  pulse: Pulse
  /** Which services were down before the first claim. */
  down: readonly DownService[]
}

/** Everything the claim loop remembers. */
export interface Loop extends LoopParts {
  idle: IdleMark
  pauses: PauseWatch
  held: HeldWatch
  services: ServiceWatch
  draining: boolean
  stopping: boolean
  /** `no` when the last claim came back short and nobody has said since that there is more; `slots` when only a free slot will help. */
  work: 'maybe' | 'slots' | 'no'
  /** Until then claims look type by type. */
  byTypeUntil: number
  /** While some type is paused they do so too: its jobs would stand in the way. */
  typePaused: boolean
  /** How far beyond what is wanted a claim looks. */
  lookahead: number
  /** The highest number a claimed job may have so far. */
  claims: number
  /** Polls in a row that found nothing. */
  emptyPolls: number
  /** A statement failed and it is not known what became of it. */
  mustRecover: boolean
  /** How long to wait after the next failure. */
  retryMs: number
  wakes: Wakes
}
