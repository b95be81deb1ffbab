import { Socket } from 'node:net'

/** What has been dialled. */
export interface Dials extends Disposable {
  /** Like `127.0.0.1 5432`, in order. */
  readonly addresses: readonly string[]
}

/** Records every address that a socket of this process begins to connect to, whether or not anything answers there, until it is disposed of: `using dials = recordDials()`. */
export function recordDials(): Dials {
  const addresses: string[] = []
  const { connect } = Socket.prototype
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', (address: string, port: number) => addresses.push(`${address} ${port}`))
    return Reflect.apply(connect, this, args)
  } as typeof connect
  return {
    addresses,
    [Symbol.dispose]() {
      Socket.prototype.connect = connect
    },
  }
}
