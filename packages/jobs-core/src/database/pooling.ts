import pg from 'pg'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { type ConnectGate, createConnectGate } from './connect-gate.ts'

/**
 * What a connection is worth. `session`: it is one session of the server's, for as long as it lives. `transaction`: a pooler may hand
 * each transaction to another session, so that settings, prepared statements, LISTEN and advisory locks go astray.
 */
export type PoolerMode = 'session' | 'transaction'

/** How it was found out: by looking at the start, by a notification that did not arrive, by a prepared statement that was gone. */
export type PoolerSign = 'probe' | 'self_test' | 'statement'

/** What is known about the way to the server, shared by all connections of a worker. */
export interface Pooling {
  /** Undefined as long as nobody has looked. */
  readonly mode: PoolerMode | undefined
  /** Notes that a connection is its server's own: what the server says of itself is what the connection was told. */
  isDirect(): void
  /** Looks, for a connection that is not. */
  discover(): Promise<PoolerMode>
  /** Notes that the connections turned out not to be sessions. */
  notSessions(sign: PoolerSign): void
}

interface PoolingOptions {
  /** What the user says; undefined: it is found out. */
  given?: PoolerMode | undefined
  gate?: ConnectGate
  /** Called once, when it turns out that there is a transaction pooler nobody told of. */
  onFound?: (sign: PoolerSign) => void
}

export function createPooling(
  config: pg.ClientConfig,
  { given, gate = createConnectGate(), onFound = () => {} }: PoolingOptions = {},
): Pooling {
  let mode = given
  let looking: Promise<PoolerMode> | undefined
  function notSessions(sign: PoolerSign): void {
    if (mode === 'transaction') return
    mode = 'transaction'
    onFound(sign)
  }
  async function look(): Promise<PoolerMode> {
    const found = await probePooler(config, gate)
    if (found === 'transaction') notSessions('probe')
    else mode ??= found
    return mode as PoolerMode
  }
  return {
    get mode() {
      return mode
    },
    isDirect() {
      mode ??= 'session'
    },
    async discover() {
      if (mode !== undefined) return mode
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    notSessions,
  }
}

const connectMs = 10_000
const answerMs = 5_000

/**
 * Sees whether connections share sessions: a transaction held open on one would take the session that another has just used.
 * @throws ConfigurationError `POOLER_UNUSABLE`
 */
export async function probePooler(config: pg.ClientConfig, gate = createConnectGate()): Promise<PoolerMode> {
  const limits = { connectionTimeoutMillis: connectMs, query_timeout: answerMs, application_name: 'sidelinja-jobs probe' }
  const clients = [new pg.Client({ ...config, ...limits }), new pg.Client({ ...config, ...limits })] as const
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) await gate.through(() => client.connect())
    return await sharesSessions(...clients)
  } catch (error) {
    throw isStatementPooling(error) ? statementPooling(error) : error
  } finally {
    for (const client of clients) await client.end().catch(() => {})
  }
}

async function sharesSessions(one: pg.Client, other: pg.Client): Promise<PoolerMode> {
  // Twice: a pooler that takes turns gives another session each time, one that does not gives the newest to whoever comes next.
  const mine = [await sessionOf(one), await sessionOf(one)]
  await other.query('begin')
  const theirs = await sessionOf(other)
  if (!mine.includes(theirs)) mine.push(await sessionOf(one))
  await other.query('commit')
  return mine.includes(theirs) || new Set(mine).size > 1 ? 'transaction' : 'session'
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

function isStatementPooling(error: unknown): boolean {
  return /statement pooling/i.test((error as Error | undefined)?.message ?? '')
}

function statementPooling(cause: unknown): ConfigurationError {
  return new ConfigurationError(
    'POOLER_UNUSABLE',
    'The database is reached through a pooler in statement mode, which allows no transactions. Set its pool_mode to transaction or session, or connect past it.',
    { cause },
  )
}
