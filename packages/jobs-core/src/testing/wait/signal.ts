import pg from 'pg'
import type { Queryable } from '../../database/queryable.ts'
import { createPulse } from '../../worker/pulse.ts'
import { poolBehind } from '../server/open-database.ts'
import { hasTestSignal, TEST_CHANNEL } from '../server/test-signal.ts'

/** Underneath the signal, should it get lost. */
const netMs = 1_000
/** Where there is no signal. */
export const pollMs = 10

/** Says when it is worth looking again. */
export interface Signal {
  /** Resolves when jobs have changed, or may have, and not later than after `maxMs`. */
  next(maxMs: number): Promise<void>
  close(): Promise<void>
}

/**
 * Listens for changes of jobs on a connection of its own, made as the pool makes its own, so that a pool of one stays free. Where that
 * is not possible (a single client, somebody else's Kysely, a database without the test trigger) it polls.
 */
export async function openSignal(db: Queryable): Promise<Signal> {
  const pool = poolBehind(db)
  return (pool && (await listen(pool).catch(() => undefined))) ?? polling
}

const polling: Signal = {
  next: (maxMs) => new Promise((resolve) => setTimeout(resolve, Math.min(maxMs, pollMs))),
  close: async () => {},
}

async function listen(pool: pg.Pool): Promise<Signal | undefined> {
  const client = new pg.Client(pool.options as pg.ClientConfig)
  const pulse = createPulse()
  let lost = false
  client.on('notification', pulse.wake)
  client.on('error', () => {
    lost = true
    pulse.wake()
  })
  await client.connect()
  const close = () => client.end().catch(() => {})
  try {
    await client.query(`listen ${TEST_CHANNEL}`)
    const { rows } = await client.query<{ present: boolean }>(hasTestSignal)
    if (rows[0]?.present) return { next: async (maxMs) => void (await pulse.sleep(Math.min(maxMs, lost ? pollMs : netMs))), close }
  } catch {
    // Then it is looked at again and again.
  }
  await close()
  return undefined
}
