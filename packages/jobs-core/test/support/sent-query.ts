import type { QueueConnection } from '../../src/database/queue-connection.ts'
import type { NamedQuery } from '../../src/database/statement.ts'

/** The statement that `run` sends, which nobody runs: to explain it. */
export async function sentQuery(run: (connection: QueueConnection) => Promise<unknown>): Promise<NamedQuery<unknown>> {
  let sent: NamedQuery<unknown> | undefined
  await run({
    run: async (query) => {
      sent = query
      return []
    },
    close: async () => {},
  })
  if (!sent) throw new Error('Nothing was sent.')
  return sent
}
