import type { Rule } from '../reason.ts'
import { elapsed, moment } from '../words.ts'

/** Somebody wants the running job stopped. */
export const cancelRequested: Rule = ({ job, now }) => {
  if (job.status !== 'running' || job.cancelRequestedAt === null) return undefined
  const since = moment(job.cancelRequestedAt)
  return {
    code: 'CANCEL_REQUESTED',
    sentence: `Its cancel was requested ${elapsed(now - job.cancelRequestedAt)} ago; it ends as soon as its handler obeys.`,
    facts: { since },
  }
}
