import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import pg from 'pg'

/** A durable PostgreSQL of this program's own, which can be ended and started again at the same address. */
export interface ChaosServer {
  connectionString(database: string): string
  /** `fast` rolls everything back and says goodbye; `immediate` ends it as a power cut would. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Runs one statement in the database `postgres`. */
  administer(text: string): Promise<void>
}

/** @param dataFolder where its data lies; left behind by `stop`. */
export async function startServer(dataFolder: string, signal: AbortSignal): Promise<ChaosServer> {
  let embedded = await launch(0)
  const address = embedded.tcpConnectionString() ?? ''
  const { port } = new URL(address)

  function launch(onPort: number): Promise<EmbeddedPostgres> {
    return startEmbeddedPostgres({ dataFolder, durable: true, port: onPort, signal })
  }

  return {
    connectionString(database) {
      const url = new URL(address)
      url.pathname = `/${database}`
      return url.toString()
    },
    async stop(mode) {
      if (mode === 'immediate') {
        process.kill(await readPid(dataFolder), 'SIGQUIT')
        await embedded.exited
      }
      await embedded.stop()
    },
    async start() {
      embedded = await launch(Number(port))
    },
    async administer(text) {
      const client = new pg.Client({ connectionString: address })
      client.on('error', () => {})
      await client.connect()
      try {
        // Also while the server is read-only.
        await client.query('set default_transaction_read_only = off')
        await client.query(text)
      } finally {
        await client.end()
      }
    },
  }
}

async function readPid(dataFolder: string): Promise<number> {
  const [first = ''] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(first)
}
