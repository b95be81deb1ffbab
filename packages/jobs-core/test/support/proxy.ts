import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of the test server, to be cut and mended. */
export interface TestProxy {
  /** The database's connection string, through the proxy. */
  readonly connectionString: string
  /** How many connections were tried since the proxy was cut. */
  readonly refused: number
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** From now on every connection, new ones too, stays open and says nothing. */
  hush(): void
  /** The connections there are stay open and say nothing, for ever; new ones work. */
  freeze(): void
  mend(): void
  /** From now on answers of the server are thrown away, and the connection is cut at the first: what was sent took effect, unseen. */
  loseNextAnswer(sent: RegExp): void
  /** How often, from now on, this is sent: `pattern` has the flag g. */
  count(pattern: RegExp): () => number
  close(): Promise<void>
}

export async function startProxy(connectionString: string): Promise<TestProxy> {
  const target = new URL(connectionString)
  const sockets = new Set<Socket>()
  const counters: { pattern: RegExp; found: number }[] = []
  let isCut = false
  let isHushed = false
  let frozen = new WeakSet<Socket>()
  let refused = 0
  let losing: RegExp | undefined

  const server = createServer((client) => {
    if (isCut) {
      refused++
      return client.destroy()
    }
    const upstream = connectTo(target)
    let loses = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (data) => {
      for (const counter of counters) counter.found += data.toString('latin1').match(counter.pattern)?.length ?? 0
      if (isHushed || frozen.has(client)) return
      if (losing?.test(data.toString('latin1'))) {
        losing = undefined
        loses = true
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => isHushed || frozen.has(client) || (loses ? client.destroy() : client.write(data)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const through = new URL(connectionString)
  through.search = ''
  through.hostname = '127.0.0.1'
  through.port = String(port)

  return {
    connectionString: through.toString(),
    get refused() {
      return refused
    },
    cut() {
      isCut = true
      refused = 0
      for (const socket of sockets) socket.destroy()
    },
    hush() {
      isHushed = true
    },
    freeze() {
      frozen = new WeakSet(sockets)
    },
    mend() {
      isCut = false
      if (isHushed) for (const socket of sockets) socket.destroy()
      isHushed = false
    },
    loseNextAnswer(sent) {
      losing = sent
    },
    count(pattern) {
      const counter = { pattern, found: 0 }
      counters.push(counter)
      return () => counter.found
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A unix socket when the connection string names a folder, as the embedded server's does. */
function connectTo(target: URL): Socket {
  const port = Number(target.port || 5432)
  const folder = target.searchParams.get('host')
  return folder?.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname)
}
