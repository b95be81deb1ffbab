import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PoolConfig } from 'pg'
import { openQueueConnection } from '../../database/queue-connection.ts'
import { describeError, type ErrorDescription } from '../../errors/describe-error.ts'
import { renewLease } from '../../queue/renew-lease.ts'
import { leaseMemory } from './lease-memory.ts'
import { startBeating } from './start-beating.ts'

/** What the thread is given. */
export interface HeartbeatTask {
  connection: PoolConfig
  queryTimeoutMs: number
  workerId: string
  leaseMs: number
  maxLoopBlockMs: number
  memory: SharedArrayBuffer
}

/** What it tells; any message to it means stop. */
export type HeartbeatNews = { kind: 'lost' } | { kind: 'failed'; error: ErrorDescription }

/** The thread: an event loop of its own, which no handler can block, and a connection of its own. */
function run(task: HeartbeatTask, port: MessagePort): void {
  const queue = openQueueConnection(task.connection, 1, { queryTimeoutMs: task.queryTimeoutMs })
  const memory = leaseMemory(task.memory)
  const tell = (news: HeartbeatNews) => port.postMessage(news)
  const beating = startBeating({
    ...{ memory, leaseMs: task.leaseMs, maxLoopBlockMs: task.maxLoopBlockMs },
    renew: (loopSilentMs) => renewLease(queue, { id: task.workerId, leaseMs: task.leaseMs, loopSilentMs, heldFrom: memory.heldFrom() }),
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
