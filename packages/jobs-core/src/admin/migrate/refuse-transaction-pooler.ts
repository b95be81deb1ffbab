import type { ClientConfig, Pool, PoolClient } from 'pg'
import { probePooler } from '../../database/pooling.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'

/**
 * The migrators' lock belongs to a session, and so do the settings of what cannot run in a transaction: through a transaction pooler two
 * migrators would run at once.
 * @throws ConfigurationError `TRANSACTION_POOLER`, `POOLER_UNUSABLE`
 */
export async function refuseTransactionPooler(pool: Pool, client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // A pooler makes up the number that a server gives each connection.
  if (rows[0]?.pid === (client as PoolClient & { processID?: number }).processID) return
  if ((await probePooler(pool.options as ClientConfig)) === 'session') return
  throw new ConfigurationError(
    'TRANSACTION_POOLER',
    'Migrations need a session of their own, and this connection goes through a pooler in transaction mode. Connect past it, to the server itself; workers may go on using it.',
  )
}
