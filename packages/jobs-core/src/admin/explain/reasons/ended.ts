import type { Rule } from '../reason.ts'
import { moment } from '../words.ts'

/** It is final. */
export const ended: Rule = ({ job }) => {
  const at = moment(job.completedAt ?? 0)
  switch (job.status) {
    case 'completed':
      return { code: 'COMPLETED', sentence: `It was completed at ${at}.`, facts: { at } }
    case 'cancelled':
      return { code: 'CANCELLED', sentence: `It was cancelled at ${at}; a retry makes it due again.`, facts: { at } }
    case 'error':
      return {
        code: 'FAILED',
        sentence: `It failed for good at ${at}, on attempt ${job.attempts} of ${job.maxAttempts}: ${job.error ?? 'no error is stored.'}`,
        facts: { at, attempts: job.attempts, maxAttempts: job.maxAttempts, error: job.error },
      }
    default:
      return undefined
  }
}
