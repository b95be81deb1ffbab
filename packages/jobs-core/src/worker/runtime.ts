import type { Kysely } from 'kysely'
import type { ConnectGate } from '../database/connect-gate.ts'
import type { Pooling } from '../database/pooling.ts'
import type { QueueConnection } from '../database/queue-connection.ts'
import type { ActiveRun } from './active-run.ts'
import type { Apart } from './apart.ts'
import type { Completion } from './completions.ts'
import type { OnWorkerEvent } from './events.ts'
import type { SettleEnded } from './join-endings.ts'
import type { WorkerSettings } from './options.ts'
import type { Outage } from './outage.ts'
import type { Session } from './session.ts'
import type { Zombies } from './zombies.ts'

/** What the parts of a running worker share. */
export interface Runtime {
  readonly settings: WorkerSettings
  readonly queue: QueueConnection
  /** For what must not wait behind settles: looks for cancels and forgotten jobs, and renewals of the lease from this thread. */
  readonly lifeline: QueueConnection
  /** For settles with a `write`: connections without the queue's settings. */
  readonly writer: Kysely<unknown>
  /** Every connection is made through it. */
  readonly gate: ConnectGate
  readonly pooling: Pooling
  readonly outage: Outage
  /** Runs a settle with a `write` as soon as one of the connections for them is free. */
  readonly writing: <T>(settle: () => Promise<T>) => Promise<T>
  readonly session: Session
  /** Runs whose handler has started and is not settled, by job id. */
  readonly active: Map<string, ActiveRun>
  readonly emit: OnWorkerEvent
  readonly zombies: Zombies
  /** Where rows go that somebody has locked. */
  readonly apart: Apart
  /** Hands a run that ended well to the next round trip. */
  readonly complete: (completion: Completion) => void
  /** Settles a run that did not. */
  readonly settleEnded: SettleEnded
}
