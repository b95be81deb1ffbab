import { once } from 'node:events'
import { createServer } from 'node:net'
import { ConfigurationError } from '../../errors/configuration-error.ts'

/** Sees that the TCP port of 127.0.0.1 can be had; 0 becomes a free one. */
export async function choosePort(asked: number | undefined): Promise<number | undefined> {
  if (asked === undefined) return undefined
  const probe = createServer()
  try {
    probe.listen(asked, '127.0.0.1')
    await once(probe, 'listening')
    return (probe.address() as { port: number }).port
  } catch (cause) {
    const why =
      (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? 'is taken by another program'
        : `cannot be opened (${(cause as Error).message})`
    throw new ConfigurationError(
      'PORT_TAKEN',
      `Port ${asked} of 127.0.0.1 ${why}. End that program, or choose another port (0: any free one).`,
      {
        cause,
      },
    )
  } finally {
    probe.close()
  }
}
