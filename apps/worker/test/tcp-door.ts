import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** A TCP port of 127.0.0.1 that leads to a PostgreSQL server once it is opened; until then connections are refused. */
export async function makeTcpDoor(connectionString: string): Promise<{ connectionString: string; open(): Promise<void>; close(): void }> {
  const port = await freePort()
  const url = new URL(connectionString)
  const target = addressOf(url)
  let server: Server | undefined
  return {
    connectionString: `postgres://${url.username}${url.password ? `:${url.password}` : ''}@127.0.0.1:${port}${url.pathname}`,
    async open() {
      server = createServer((inside) => {
        const outside = connect(target)
        inside.pipe(outside).pipe(inside)
        for (const socket of [inside, outside]) socket.on('error', () => inside.destroy() && outside.destroy())
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: () => server?.close(),
  }
}

function addressOf(url: URL): { path: string } | { host: string; port: number } {
  const host = url.searchParams.get('host') ?? url.hostname
  const port = Number(url.port || 5432)
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
