import type { PoolerMode } from '../database/pooling.ts'
import type { QueueConnection } from '../database/queue-connection.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { countAllowedConnections } from '../queue/count-allowed-connections.ts'

/** For the queue's statements. */
export const QUEUE_CONNECTIONS = 2
/** Those, one for the heartbeat, one that looks for cancels and one that listens. */
const fixed = QUEUE_CONNECTIONS + 3
/** More jobs that write at the same time gain nothing: they would wait for each other in the server. */
const maxWriters = 10

/** How many connections for settles with a `write` a worker with so many slots wants. */
export function wantedWriters(slots: number): number {
  return Math.min(slots, maxWriters)
}

/** What a worker gets of what it wants. */
export interface FittingConnections {
  allowed: number
  wanted: number
  writers: number
}

/**
 * How many jobs may write at a time, by what the server allows. What other programs need is not known here: this only finds what
 * cannot work even alone.
 * @throws ConfigurationError `TOO_FEW_CONNECTIONS`
 */
export function fitConnections(allowed: number, slots: number, others: number): FittingConnections {
  if (allowed < fixed + 1) {
    throw new ConfigurationError(
      'TOO_FEW_CONNECTIONS',
      `The database server allows this role ${allowed} connections; a worker needs at least ${fixed + 1}. Raise the connection limit of the role, of the database, or max_connections; or put a pooler in front and set pooler to transaction.`,
    )
  }
  const writers = Math.min(wantedWriters(slots), allowed - fixed)
  return { allowed, wanted: fixed + wantedWriters(slots) + others, writers }
}

/** Asks the server. Undefined where a pooler shares its connections out: then it is the pooler's limits that count, and they cannot be asked. */
export async function readFittingConnections(
  queue: QueueConnection,
  mode: PoolerMode | undefined,
  { slots, others }: { slots: number; others: number },
): Promise<FittingConnections | undefined> {
  return mode === 'transaction' ? undefined : fitConnections(await countAllowedConnections(queue), slots, others)
}
