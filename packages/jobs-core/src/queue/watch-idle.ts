import type { KyselyPlugin, Transaction } from 'kysely'

/** A transaction of which it is known how long it was left idle. */
export interface WatchedTransaction {
  trx: Transaction<unknown>
  /** The longest time between an answer and the next statement, or until now; a statement that has no answer is not idle. */
  longestIdleMs(): number
}

export function watchIdle(trx: Transaction<unknown>): WatchedTransaction {
  let idleSince = performance.now()
  let longestMs = 0
  const longestIdleMs = () => Math.max(longestMs, performance.now() - idleSince)
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      longestMs = longestIdleMs()
      idleSince = Number.POSITIVE_INFINITY
      return node
    },
    async transformResult({ result }) {
      idleSince = performance.now()
      return result
    },
  }
  return { trx: trx.withPlugin(plugin), longestIdleMs }
}
