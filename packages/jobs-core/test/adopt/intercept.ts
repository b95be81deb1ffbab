import type pg from 'pg'

/** Calls `before` ahead of each statement of this pool's clients; what it returns is run in the statement's place. */
export function intercept(pool: pg.Pool, before: (text: string, client: pg.Client) => Promise<string>): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (text: unknown, values?: unknown[]) => Promise<unknown>
    const intercepted = async (text: unknown, values?: unknown[]) =>
      query(typeof text === 'string' ? await before(text, client as unknown as pg.Client) : text, values)
    Object.assign(client, { query: intercepted })
  })
}
