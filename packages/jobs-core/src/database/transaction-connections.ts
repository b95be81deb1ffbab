import pg from 'pg'
import { applicationName, planSettings } from './plan-settings.ts'
import { type Connections, isBroken } from './session-connections.ts'
import type { NamedQuery } from './statement.ts'
import { surviveDisconnects } from './survive-disconnects.ts'

/** A statement is planned each time it is sent, so nothing is to be said about how long its plan is kept. */
const { plan_cache_mode: _, ...settings } = planSettings
const begin = `begin; ${Object.entries(settings)
  .map(([name, value]) => `set local ${name} = '${value}'`)
  .join('; ')}`

/**
 * For connections whose sessions change from one transaction to the next. Each statement goes in a transaction of its own with its
 * settings, unnamed. All of that is sent at once, so that it takes one round trip as elsewhere.
 */
export function openTransactionConnections(config: pg.PoolConfig): Connections {
  const pool = surviveDisconnects(new pg.Pool({ ...config, application_name: applicationName, pipeline: true }))
  return {
    async run<Row>({ text, values }: NamedQuery<Row>) {
      const client = await pool.connect()
      const answers = await Promise.allSettled([client.query(begin), client.query({ text, values }), client.query('commit')])
      const failed = answers.find((answer) => answer.status === 'rejected')
      client.release(failed !== undefined && isBroken(failed.reason))
      if (failed) throw failed.reason
      return (answers[1] as PromiseFulfilledResult<pg.QueryResult>).value.rows as Row[]
    },
    close: () => pool.end(),
  }
}
