import type { Rule } from '../reason.ts'
import { MAX_AHEAD } from '../snapshot.ts'
import { counted } from '../words.ts'
import { waits } from './not-due.ts'

/** The same workers take others first: of higher priority, due before it, or enqueued before it. */
export const jobsAhead: Rule = (snapshot) => {
  const { ahead, job, now } = snapshot
  if (!waits(snapshot) || job.scheduledFor > now || ahead === 0) return undefined
  const more = ahead > MAX_AHEAD
  const jobs = Math.min(ahead, MAX_AHEAD)
  return {
    code: 'JOBS_AHEAD',
    sentence: `${more ? 'More than ' : ''}${counted(jobs, 'due job')} of the same workers ${jobs === 1 && !more ? 'stands' : 'stand'} before it.`,
    facts: { jobs, more },
  }
}
