import { connect, createServer, type Socket } from 'node:net'
import type { Random } from '../random.ts'

/** What the proxy does to what passes through it. */
export type ProxyMode = 'pass' | 'refuse' | 'slow' | 'slices' | 'lose_answers'

/** A TCP proxy in front of the server, to be maltreated. */
export interface ChaosProxy {
  readonly connectionString: string
  mode: ProxyMode
  /** Ends every connection; with a reset instead of a goodbye if asked for. */
  breakAll(how: 'cut' | 'reset'): void
  /** From now on the connections there are say nothing and take everything; new ones are fine. */
  hushAll(): void
  close(): Promise<void>
}

interface Line {
  client: Socket
  upstream: Socket
  hushed: boolean
  /** The server's next answer does not arrive: the connection is cut instead. */
  doomed: boolean
}

const slowMs = [200, 800] as const
/** This share of the commits and settles loses its answer. */
const lostShare = 0.2
const commits = /commit|jobs_settle/i

export async function startProxy(connectionString: string, random: Random): Promise<ChaosProxy> {
  const target = new URL(connectionString)
  const lines = new Set<Line>()
  const server = createServer((client) => {
    if (proxy.mode === 'refuse') return client.destroy()
    const line = { client, upstream: connect(Number(target.port), target.hostname), hushed: false, doomed: false }
    lines.add(line)
    join(line, proxy, random, () => lines.delete(line))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(connectionString)
  through.port = String((server.address() as { port: number }).port)
  const proxy: ChaosProxy = {
    connectionString: through.toString(),
    mode: 'pass',
    breakAll(how) {
      for (const { client, upstream } of lines) {
        if (how === 'reset') client.resetAndDestroy()
        else client.destroy()
        upstream.destroy()
      }
    },
    hushAll() {
      for (const line of lines) line.hushed = true
    },
    async close() {
      proxy.breakAll('cut')
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

function join(line: Line, proxy: ChaosProxy, random: Random, onEnd: () => void): void {
  const { client, upstream } = line
  for (const socket of [client, upstream]) {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => {
      onEnd()
      // A connection that is dead without saying so stays so for the other side.
      if (line.hushed && socket === upstream) return
      client.destroy()
      upstream.destroy()
    })
  }
  const toServer = pipeTo(upstream, proxy, random)
  const toClient = pipeTo(client, proxy, random)
  client.on('data', (data) => {
    if (line.hushed) return
    if (proxy.mode === 'lose_answers' && commits.test(data.toString('latin1'))) line.doomed ||= random.chance(lostShare)
    toServer(data)
  })
  upstream.on('data', (data) => {
    if (line.hushed) return
    if (line.doomed) client.destroy()
    else toClient(data)
  })
}

/** Passes data on as the mode says, in order. */
function pipeTo(socket: Socket, proxy: ChaosProxy, random: Random): (data: Buffer) => void {
  let before = Promise.resolve()
  const write = (data: Buffer) => {
    if (!socket.destroyed) socket.write(data)
  }
  return (data) => {
    const { mode } = proxy
    before = before.then(async () => {
      if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, random.between(...slowMs)))
      if (mode === 'slices') for (let at = 0; at < data.length; at++) write(data.subarray(at, at + 1))
      else write(data)
    })
  }
}
