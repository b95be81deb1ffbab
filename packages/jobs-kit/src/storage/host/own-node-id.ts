import { uuidOfName } from './uuid-of-name.ts'

/** The id of the node that is a job's own: the same in each of its runs, another one for every job. */
export function ownNodeId(jobId: string): string {
  return uuidOfName(`node of job ${jobId.toLowerCase()}`)
}

/** The id of the node of some kind that a collection's jobs make of another node: the same for each of them, so that the newest replaces what those before made. */
export function derivedNodeId(collectionNodeId: string, { kind, of }: { kind: string; of: string }): string {
  return uuidOfName(`${kind} of node ${of.toLowerCase()} in ${collectionNodeId.toLowerCase()}`)
}
