import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PoolConfig } from 'pg'
import { createPooling, type PoolerMode } from '../../database/pooling.ts'
import { openQueueConnection } from '../../database/queue-connection.ts'
import { describeError, type ErrorDescription } from '../../errors/describe-error.ts'
import { renewLease } from '../../queue/renew-lease.ts'
import { leaseMemory } from './lease-memory.ts'
import { startBeating } from './start-beating.ts'

/** What the thread is given. */
export interface HeartbeatTask {
  connection: PoolConfig
  pooler: PoolerMode | undefined
  queryTimeoutMs: number
  workerId: string
  leaseMs: number
  maxLoopBlockMs: number
  memory: SharedArrayBuffer
}

/** What it tells; any message to it means stop. */
export type HeartbeatNews = { kind: 'lost' } | { kind: 'renewed' } | { kind: 'failed'; error: ErrorDescription }

/** The thread: an event loop of its own, which no handler can block, and a connection of its own. */
function run(task: HeartbeatTask, port: MessagePort): void {
  const pooling = createPooling(task.connection, { given: task.pooler })
  const queue = openQueueConnection(task.connection, 1, { queryTimeoutMs: task.queryTimeoutMs, pooling })
  const memory = leaseMemory(task.memory)
  const tell = (news: HeartbeatNews) => port.postMessage(news)
  const beating = startBeating({
    ...{ memory, leaseMs: task.leaseMs, maxLoopBlockMs: task.maxLoopBlockMs },
    renew: (loopSilentMs) => renewLease(queue, { id: task.workerId, leaseMs: task.leaseMs, loopSilentMs, heldFrom: memory.heldFrom() }),
    onRenewed: () => tell({ kind: 'renewed' }),
    onLost: () => tell({ kind: 'lost' }),
    onError: (error) => tell({ kind: 'failed', error: describeError(error) }),
  })
  port.once('message', async () => {
    await beating.stop()
    await queue.close()
    port.close()
  })
}

if (parentPort) run(workerData, parentPort)
