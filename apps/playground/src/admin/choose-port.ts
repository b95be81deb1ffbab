import { createServer } from 'node:net'
import { ConfigurationError } from '@sidelinja/jobs-core'

/** The admin page is for this machine only. */
export const HOST = '127.0.0.1'
const FIRST_PORT = 3000
const PORTS = 20

/** The port that was asked for; else the first free one from 3000 on. */
export async function choosePort(asked: number | undefined): Promise<number> {
  if (asked !== undefined) {
    const port = await tryPort(asked)
    if (port !== undefined) return port
    throw new ConfigurationError(
      'PORT_TAKEN',
      `Port ${asked} of ${HOST} is taken, or may not be used. Choose another with --admin-port; without it the first free one from ${FIRST_PORT} on is taken.`,
    )
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port++) if ((await tryPort(port)) !== undefined) return port
  throw new ConfigurationError(
    'PORT_TAKEN',
    `Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} of ${HOST} are all taken. Choose another with --admin-port (0: any free one), or go without the page: --no-admin.`,
  )
}

/** The port if one can listen on it, for 0 a free one; undefined if not. */
function tryPort(asked: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(asked, HOST, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
}
