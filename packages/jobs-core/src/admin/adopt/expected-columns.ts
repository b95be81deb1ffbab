/** The columns every historical shape has, with the types that can be taken over. The first is what the new table has. */
export const originalColumns: Record<string, readonly string[]> = {
  id: ['uuid'],
  job_type: ['text', 'character varying'],
  payload: ['jsonb'],
  // An enum job_status, which find-table-problems.ts looks at more closely.
  status: ['job_status'],
  priority: ['smallint', 'integer', 'bigint'],
  result: ['jsonb'],
  error_msg: ['text', 'character varying'],
  attempts: ['smallint', 'integer', 'bigint'],
  max_attempts: ['smallint', 'integer', 'bigint'],
  created_at: ['timestamp with time zone'],
  started_at: ['timestamp with time zone'],
  completed_at: ['timestamp with time zone'],
  scheduled_for: ['timestamp with time zone'],
}

/** What adopt/0010_columns.sql adds: a host's own column of such a name has another meaning. */
export const addedColumns = [
  ...['run', 'worker_id', 'prefetched', 'rescues', 'snoozes', 'sequence', 'unique_key', 'unique_until', 'unique_held'],
  ...['cancel_requested_at', 'correlation_id', 'traceparent', 'progress', 'progress_text', 'ready', 'failed', 'claim', 'parked'],
] as const

/** Tables and indexes that the migrations make beside job_queue. */
export const addedRelations = [
  ...['job_workers', 'job_attempts', 'job_steps', 'job_pauses', 'job_schedules', 'job_schedule_ticks', 'job_queue_sequence_seq'],
  ...[
    'job_queue_ready',
    'job_queue_ready_by_type',
    'job_queue_collection',
    'job_queue_failed',
    'job_queue_worker',
    'job_queue_held',
    'job_queue_claimable',
    'job_queue_claimable_by_type',
    'job_queue_parked',
    'job_queue_unique_key',
  ],
] as const

/** Our constraints. An old table may have one by the same name and meaning, which is made anew; '' for those that it cannot. */
export const ourConstraints: Record<string, string> = {
  job_queue_job_type_check: `CHECK ((job_type <> ''::text))`,
  job_queue_attempts_check: 'CHECK ((attempts >= 0))',
  job_queue_max_attempts_check: 'CHECK ((max_attempts >= 1))',
  job_queue_unique_until_check: '',
  job_queue_unique_key_size: '',
  job_queue_correlation_id_size: '',
  job_queue_unique_key_whole: '',
  job_queue_payload_size: 'CHECK ((octet_length((payload)::text) <= 131072))',
  job_queue_result_size: 'CHECK ((octet_length((result)::text) <= 524288))',
}

/** Defaults that an old table may have otherwise. */
export const ourDefaults: Record<string, string> = {
  status: `'pending'::job_status`,
  priority: '0',
  attempts: '0',
  max_attempts: '3',
  created_at: 'now()',
  scheduled_for: 'now()',
}
