/**
 * Plans are pinned to scans of an index in its own order: a plan made while the table was small would otherwise be kept when it has
 * millions of rows, and a claim must not sort everything that waits.
 * A settle that waits for somebody's lock gives up after a second, so that one locked row does not hold the worker.
 */
export const planSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  lock_timeout: '1s',
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '30s',
} as const

/** How the connections show up in `pg_stat_activity`. */
export const applicationName = 'sidelinja-jobs'
