import type { Kysely } from 'kysely'
import PQueue from 'p-queue'
import { type ConnectGate, createConnectGate } from '../database/connect-gate.ts'
import { openWriter } from '../database/open-writer.ts'
import { createPooling, type Pooling } from '../database/pooling.ts'
import { openQueueConnection, type QueueConnection } from '../database/queue-connection.ts'
import type { OnWorkerEvent } from './events.ts'
import { QUEUE_CONNECTIONS, wantedWriters } from './fit-connections.ts'
import { lifelineTimeoutMs } from './heartbeat/start-heartbeat.ts'
import type { WorkerSettings } from './options.ts'
import type { Runtime } from './runtime.ts'

/** Every way a worker has to the database, but for the heartbeat's thread. */
export interface WorkerConnections {
  queue: QueueConnection
  lifeline: QueueConnection
  writer: Kysely<unknown>
  writing: Runtime['writing']
  /** How many jobs may write at the same time. */
  setWriters(writers: number): void
  gate: ConnectGate
  pooling: Pooling
  close(): Promise<unknown>
}

/** Connects nothing yet. */
export function openConnections({ connection, maxConcurrent, leaseMs, pooler }: WorkerSettings, emit: OnWorkerEvent): WorkerConnections {
  const gate = createConnectGate()
  const pooling = createPooling(connection, { given: pooler, gate, onFound: (sign) => emit({ name: 'pooler.found', sign }) })
  const queue = openQueueConnection(connection, QUEUE_CONNECTIONS, { pooling, gate })
  // For renewals from this thread. Of its own: they must not wait behind settles that wait for somebody's lock.
  const lifeline = openQueueConnection(connection, 1, { queryTimeoutMs: lifelineTimeoutMs(leaseMs), pooling, gate })
  const writer = openWriter(connection, wantedWriters(maxConcurrent), gate)
  // The pool itself would let them wait for ten seconds only.
  const writes = new PQueue({ concurrency: wantedWriters(maxConcurrent) })
  return {
    ...{ queue, lifeline, writer, gate, pooling },
    writing: (settle) => writes.add(settle),
    setWriters(writers) {
      writes.concurrency = writers
    },
    close: () => Promise.all([queue.close(), lifeline.close(), writer.destroy()]),
  }
}
