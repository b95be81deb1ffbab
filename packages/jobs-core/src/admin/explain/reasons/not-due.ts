import type { Rule } from '../reason.ts'
import type { Snapshot } from '../snapshot.ts'
import { length, moment } from '../words.ts'

/** Its time has not come: it was scheduled for later, waits for its next attempt, or was snoozed. */
export const notDue: Rule = (snapshot) => {
  const { job, now, lastAttempt } = snapshot
  if (!waits(snapshot) || job.scheduledFor <= now) return undefined
  const facts = { dueAt: moment(job.scheduledFor), dueInMs: job.scheduledFor - now }
  const when = `in ${length(facts.dueInMs)}, at ${facts.dueAt}`
  if (lastAttempt?.end === 'snoozed') {
    return { code: 'SNOOZED', sentence: `Its handler asked for it to come back ${when}.`, facts: { ...facts, error: job.error } }
  }
  if (job.status === 'retry' && (lastAttempt?.end === 'failed' || lastAttempt?.end === 'timeout')) {
    return {
      code: 'WAITS_FOR_RETRY',
      sentence: `Attempt ${job.attempts} of ${job.maxAttempts} failed; the next one is due ${when}.`,
      facts: { ...facts, attempts: job.attempts, maxAttempts: job.maxAttempts, errorCode: lastAttempt.code, error: job.error },
    }
  }
  return { code: 'SCHEDULED', sentence: `It is due ${when}.`, facts }
}

/** It could be claimed, if nothing else keeps it. */
export function waits({ job }: Snapshot): boolean {
  return job.status === 'pending' || job.status === 'retry'
}
