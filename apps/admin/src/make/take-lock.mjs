import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Waits until no other process has the lock of this name, and takes it. It is a socket on which one process can listen: it goes with its
 * process, however that ends, and the connections of those who wait end with it.
 *
 * @param {string} name
 * @returns {Promise<() => void>} gives it back
 */
export async function takeLock(name) {
  const address = addressOf(name)
  for (;;) {
    const release = await listen(address)
    if (release) return release
    await untilFree(address)
  }
}

/** @param {string} name */
function addressOf(name) {
  const key = `sidelinja-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
  if (process.platform === 'linux') return `\0${key}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${key}` : join(tmpdir(), `${key}.sock`)
}

/**
 * @param {string} address
 * @returns {Promise<(() => void) | undefined>} undefined: another process has it
 */
function listen(address) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => {}).once('close', () => waiting.delete(socket))
  })
  const release = () => {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
  return new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)))
    server.listen(address, () => resolve(release))
  })
}

/**
 * @param {string} address
 * @returns {Promise<void>}
 */
function untilFree(address) {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // A file that a killed process has left, where sockets are files.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true })
    })
    socket.once('close', () => resolve()).resume()
  })
}
