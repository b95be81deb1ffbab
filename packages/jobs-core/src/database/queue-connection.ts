import type pg from 'pg'
import { type ConnectGate, createConnectGate, gatedClient } from './connect-gate.ts'
import { createPooling, type Pooling } from './pooling.ts'
import { noSession, openSessionConnections } from './session-connections.ts'
import { sqlState } from './sql-state.ts'
import type { NamedQuery } from './statement.ts'
import { openTransactionConnections } from './transaction-connections.ts'

/** The queue's own connections: they run the statements of `queue/` and nothing else. */
export interface QueueConnection {
  run<Row>(query: NamedQuery<Row>): Promise<Row[]>
  close(): Promise<void>
}

export interface QueueConnectionOptions {
  queryTimeoutMs?: number
  /** Shared by all connections of a worker; left out, it is found out anew. */
  pooling?: Pooling
  gate?: ConnectGate
}

/** Longer than the server lets a statement take: what has no answer then went to a connection that is dead without saying so. */
const defaultQueryTimeoutMs = 20_000

/** Opens nothing yet: connections are made when statements are run. */
export function openQueueConnection(config: pg.PoolConfig, size: number, options: QueueConnectionOptions = {}): QueueConnection {
  const { queryTimeoutMs = defaultQueryTimeoutMs, gate = createConnectGate() } = options
  const pooling = options.pooling ?? createPooling(config, { gate })
  const shared = {
    ...config,
    max: size,
    keepAlive: true,
    connectionTimeoutMillis: Math.min(10_000, queryTimeoutMs),
    query_timeout: queryTimeoutMs,
    keepAliveInitialDelayMillis: 10_000,
    Client: gatedClient(gate),
  }
  const sessions = openSessionConnections(shared, pooling)
  const transactions = openTransactionConnections(shared)
  return {
    async run<Row>(query: NamedQuery<Row>): Promise<Row[]> {
      if (pooling.mode !== 'transaction') {
        try {
          return await sessions.run(query)
        } catch (error) {
          if (!isStrayStatement(error)) throw error
          pooling.notSessions('statement')
        }
      }
      return transactions.run(query)
    },
    async close() {
      await Promise.all([sessions.close(), transactions.close()])
    },
  }
}

/** It was not run: the prepared statement is not in this session, or another of its name is. Only a pooler swaps sessions. */
function isStrayStatement(error: unknown): boolean {
  return error === noSession || ['26000', '42P05'].includes(sqlState(error) ?? '')
}
