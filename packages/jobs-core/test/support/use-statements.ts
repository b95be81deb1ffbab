import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { openQueueConnection, type QueueConnection } from '../../src/database/queue-connection.ts'
import { registerWorker } from '../../src/queue/register-worker.ts'
import { type ClaimedJob, type SettleAndClaim, settleAndClaim } from '../../src/queue/settle-and-claim.ts'
import type { TestQueue } from './use-queue.ts'

/** The queue's own connection and workers that are nothing but a row: for tests of single statements. */
export interface Statements {
  readonly connection: QueueConnection
  /** Registers a worker; its id. */
  register(leaseMs?: number): Promise<string>
  trip(work: Partial<SettleAndClaim> & { workerId: string }): ReturnType<typeof settleAndClaim>
  /** Claims up to `limit` jobs straight into free slots, unless fewer are given. */
  claim(workerId: string, limit: number, freeSlots?: number): Promise<ClaimedJob[]>
  /** Lets the worker's lease run out without waiting for it. */
  expire(workerId: string): Promise<void>
}

export function useStatements(queue: TestQueue): Statements {
  let connection: QueueConnection
  beforeAll(() => {
    connection = openQueueConnection({ connectionString: queue.connectionString }, 10)
  })
  afterAll(() => connection.close())

  const nothing = { types: ['test_job'], completed: [], starting: [], limit: 0, claim: 1, freeSlots: 0 }
  const trip: Statements['trip'] = (work) =>
    settleAndClaim(connection, { ...nothing, lookahead: 0, rescuedHeld: 0, lastChanceHeld: false, byType: false, ...work })
  return {
    get connection() {
      return connection
    },
    async register(leaseMs = 60_000) {
      const id = randomUUID()
      await registerWorker(connection, { id, host: 'test', pid: 1, version: null, types: ['test_job'], slots: 3, leaseMs })
      return id
    },
    trip,
    claim: async (workerId, limit, freeSlots = limit) => (await trip({ workerId, limit, freeSlots })).claimed,
    async expire(workerId) {
      await queue.pool.query(`update job_workers set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1`, [workerId])
    },
  }
}
