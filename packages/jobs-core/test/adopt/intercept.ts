import type pg from 'pg'

export interface Intercepted {
  text: string
  values: unknown[]
  /** Of the backend that is about to run it. */
  pid: number
}

/** Calls `before` ahead of each statement of this pool's clients; what it returns is run in the statement's place. */
export function intercept(pool: pg.Pool, before: (statement: Intercepted) => Promise<string>): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (text: unknown, values?: unknown[]) => Promise<unknown>
    const { processID: pid = 0 } = client as { processID?: number }
    const intercepted = async (text: unknown, values: unknown[] = []) =>
      query(typeof text === 'string' ? await before({ text, values, pid }) : text, values)
    Object.assign(client, { query: intercepted })
  })
}
