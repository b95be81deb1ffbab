import type { Reason } from '../reason.ts'
import type { Snapshot } from '../snapshot.ts'
import { moment } from '../words.ts'

/** Nothing keeps it. */
export function nextPoll({ job, now }: Snapshot): Reason {
  return {
    code: 'NEXT_POLL',
    sentence: 'Nothing keeps it: it will be taken at the next poll of a worker.',
    facts: { dueAt: moment(job.scheduledFor), dueSinceMs: now - job.scheduledFor },
  }
}
