import pg from 'pg'

/** After a connection could not be had the next is tried so much later: at most four tries a second, whoever wants one. */
const spacingMs = 250

/** The one way to the server for every connection of a worker, so that together they do not storm a database that is away. */
export interface ConnectGate {
  /**
   * Connects, one after the other. A try that fails is the answer for everybody who was waiting for a turn; the next one, whoever
   * asks for it, comes a while later.
   */
  through<T>(connect: () => Promise<T>): Promise<T>
}

export function createConnectGate(): ConnectGate {
  let last: Promise<unknown> = Promise.resolve()
  let failures = 0
  let failure: { error: unknown; at: number } | undefined
  async function attempt<T>(connect: () => Promise<T>, entered: number): Promise<T> {
    if (failure && failures > entered) throw failure.error
    if (failure) await until(failure.at + spacingMs)
    try {
      const connected = await connect()
      failure = undefined
      return connected
    } catch (error) {
      failures++
      failure = { error, at: performance.now() }
      throw error
    }
  }
  return {
    through(connect) {
      const entered = failures
      const mine = last.then(() => attempt(connect, entered))
      last = mine.catch(() => {})
      return mine
    },
  }
}

function until(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))
}

/** For a pool's option `Client`: clients that go through the gate. */
export function gatedClient(gate: ConnectGate): new () => pg.ClientBase {
  function GatedClient(config: pg.ClientConfig) {
    const client = new pg.Client(config)
    client.on('error', () => {})
    const connect = client.connect.bind(client)
    client.connect = ((done: (error?: unknown) => void) => {
      gate
        .through(() => connect())
        .then(
          () => done(),
          (error) => done(error),
        )
    }) as typeof client.connect
    return client
  }
  return GatedClient as unknown as new () => pg.ClientBase
}
