import type { ClaimedJob } from '../queue/settle-and-claim.ts'

/** What every event about a job says about it. Never the payload. */
export function jobFields(job: ClaimedJob) {
  return {
    jobId: job.id,
    jobType: job.job_type,
    collectionNodeId: job.collection_node_id,
    attempt: job.attempts,
    maxAttempts: job.max_attempts,
    run: job.run,
  }
}
