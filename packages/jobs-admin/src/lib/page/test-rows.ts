import type { JobRow } from './wire/bodies.ts'

const start = Date.parse('2026-12-01T08:00:00.000Z')

/** A moment so many seconds after the job was made. */
export function later(seconds: number): string {
  return new Date(start + seconds * 1_000).toISOString()
}

/** A row of the list, for tests. */
export function job(columns: Partial<JobRow> = {}): JobRow {
  return {
    ...{ id: '01a2306a-0000-7000-8000-000000000001', collection_node_id: '01a2306a-0000-7000-8000-0000000000c0', collection_title: 'A' },
    ...{ may_act: true, job_type: 'srt_parse', status: 'pending', priority: 0, error_msg: null, error_group: null, attempts: 0 },
    ...{ max_attempts: 3, created_at: later(0), started_at: null, completed_at: null, scheduled_for: later(0), run: 0, worker_id: null },
    ...{ prefetched: false, rescues: 0, snoozes: 0, sequence: '1', unique_key: null, unique_until: null, unique_held: false },
    ...{ cancel_requested_at: null, correlation_id: null, traceparent: null, progress: null, progress_text: null, claim: '0' },
    ...{ parked: false, ready: true, failed: false },
    ...columns,
  }
}
