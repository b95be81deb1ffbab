import { Socket } from 'node:net'

/** What this process dials, until it is disposed of: every address that a socket begins to connect to, whether or not anything answers there. */
export function recordDials(): Disposable & { readonly addresses: readonly string[] } {
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
