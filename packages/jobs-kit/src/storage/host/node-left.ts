import { PermanentError } from '@sidelinja/jobs-core'

/** A node that the collection had when the job read it, or that a job before made for it. `what` names it. */
export function nodeLeft(what: string): PermanentError {
  return new PermanentError(
    'NODE_NOT_IN_COLLECTION',
    `Expected ${what} to be tied to the job's collection by an edge; it is not (any more), and nothing was written. Tie it to the collection again, then retry the job.`,
  )
}
