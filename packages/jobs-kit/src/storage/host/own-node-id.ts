import { uuidOfName } from './uuid-of-name.ts'

/** The id of the node that is a job's own: the same in each of its runs, another one for every job. */
export function ownNodeId(jobId: string): string {
  return uuidOfName(`node of job ${jobId.toLowerCase()}`)
}
