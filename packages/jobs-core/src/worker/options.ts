import { hostname } from 'node:os'
import type { PoolConfig } from 'pg'
import type { PoolerMode } from '../database/pooling.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { closest } from '../text/closest.ts'
import type { Handler } from './define-handler.ts'
import type { OnWorkerEvent } from './events.ts'

const DEFAULT_MAX_CONCURRENT = 3
const DEFAULT_POLL_INTERVAL_MS = 1_000
const DEFAULT_LEASE_MS = 30_000
const DEFAULT_DRAIN_MS = 25_000
const DEFAULT_MAX_LOOP_BLOCK_MS = 60_000

/** What {@link createWorker} is given. Only the connection and the handlers are required. */
export interface WorkerOptions {
  /** How to reach the database. The worker makes its own connections from it: five, and one per slot that is writing (at most ten). */
  connection: string | PoolConfig
  /**
   * What a pooler between here and the server does: `transaction` (PgBouncer's pool_mode) gives each transaction another session, so the
   * worker uses no LISTEN, no prepared statements and no session settings; `session`, or none, is as good as the server itself. Default:
   * it looks at the start, and changes over by itself, with an event, if it finds out.
   */
  pooler?: PoolerMode | undefined
  /** How many connections this program opens beside the worker's own; it counts them when it compares with what the server allows. Default 0. */
  otherConnections?: number | undefined
  /** What this worker can run. None: it starts, says so once and claims nothing. */
  handlers: readonly Handler[]
  /** Which of the handlers' types to run. Default: all of them. */
  types?: readonly string[] | undefined
  /** Slots: how many jobs run at the same time, 1 … 1000. Default 3. */
  maxConcurrent?: number | undefined
  /** How often an idle worker looks for work when no notification comes, in milliseconds, 10 … 600,000. Default 1,000. */
  pollIntervalMs?: number | undefined
  /** How long jobs stay this worker's without a heartbeat, in milliseconds, 1,000 … 3,600,000; heartbeats come three times as often. Default 30,000. */
  leaseMs?: number | undefined
  /**
   * How long a handler may block the event loop before the worker is taken for dead and its lease left to run out, in milliseconds,
   * 1,000 … 3,600,000. Until then heartbeats go on: they come from a thread of their own. Default 60,000.
   */
  maxLoopBlockMs?: number | undefined
  /** How long `stop()` lets running jobs finish before it aborts them, in milliseconds, 0 … 3,600,000. Default 25,000. */
  drainMs?: number | undefined
  /**
   * True: refuse to start with a role that row-level security does not bind: a superuser, one with BYPASSRLS, the owner of the queue's
   * tables. Default false: start, and say so once.
   */
  strictRoles?: boolean | undefined
  /** Shown beside the worker: the release it runs. */
  version?: string | undefined
  /** Shown beside the worker. Default: the machine's name. */
  host?: string | undefined
  /** Told everything worth a log line or a metric. */
  onEvent?: OnWorkerEvent | undefined
}

export interface WorkerSettings {
  connection: PoolConfig
  pooler: PoolerMode | undefined
  otherConnections: number
  handlers: ReadonlyMap<string, Handler>
  maxConcurrent: number
  pollIntervalMs: number
  leaseMs: number
  drainMs: number
  maxLoopBlockMs: number
  strictRoles: boolean
  version: string | null
  host: string
}

/**
 * Fills in the defaults and checks everything, also against each other.
 * @throws ConfigurationError `WORKER_OPTION_INVALID`, `TYPE_NOT_IN_BUILD`, `DUPLICATE_TYPE`
 */
export function resolveOptions(options: WorkerOptions): WorkerSettings {
  return {
    connection: typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection,
    pooler: poolerMode(options.pooler),
    otherConnections: integer('otherConnections', options.otherConnections ?? 0, 0, 10_000),
    handlers: selectHandlers(options.handlers, options.types),
    maxConcurrent: integer('maxConcurrent', options.maxConcurrent ?? DEFAULT_MAX_CONCURRENT, 1, 1_000),
    pollIntervalMs: integer('pollIntervalMs', options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS, 10, 600_000),
    leaseMs: integer('leaseMs', options.leaseMs ?? DEFAULT_LEASE_MS, 1_000, 3_600_000),
    drainMs: integer('drainMs', options.drainMs ?? DEFAULT_DRAIN_MS, 0, 3_600_000),
    maxLoopBlockMs: integer('maxLoopBlockMs', options.maxLoopBlockMs ?? DEFAULT_MAX_LOOP_BLOCK_MS, 1_000, 3_600_000),
    strictRoles: options.strictRoles ?? false,
    version: options.version ?? null,
    host: options.host ?? hostname(),
  }
}

function selectHandlers(handlers: readonly Handler[], types: readonly string[] | undefined): ReadonlyMap<string, Handler> {
  const known = new Map<string, Handler>()
  for (const handler of handlers) {
    const { type } = handler.definition
    if (known.has(type))
      throw new ConfigurationError('DUPLICATE_TYPE', `Two handlers run the job type ${type}; a worker takes one of each.`)
    known.set(type, handler)
  }
  if (types === undefined) return known
  return new Map(types.map((type) => [type, known.get(type) ?? missing(type, [...known.keys()])]))
}

function missing(type: string, known: readonly string[]): never {
  const near = closest(type, known)
  const hint = near ? ` Did you mean ${near}?` : ''
  throw new ConfigurationError(
    'TYPE_NOT_IN_BUILD',
    `This worker has no handler for the job type ${JSON.stringify(type)}.${hint} It can run: ${known.join(', ') || 'nothing'}.`,
  )
}

function poolerMode(value: PoolerMode | undefined): PoolerMode | undefined {
  if (value === undefined || value === 'session' || value === 'transaction') return value
  throw new ConfigurationError(
    'WORKER_OPTION_INVALID',
    `createWorker: pooler must be session or transaction, got ${JSON.stringify(value)}.`,
  )
}

function integer(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ConfigurationError('WORKER_OPTION_INVALID', `createWorker: ${name} must be a whole number from ${min} to ${max}, got ${value}.`)
}
