import { createHash } from 'node:crypto'

/** The id of the node that is a job's own: the same in each of its runs, another one for every job. */
export function ownNodeId(jobId: string): string {
  return idOf(`node of job ${jobId.toLowerCase()}`)
}

/** The id of the node of some kind that a collection's jobs make of another node: the same for each of them, so that the newest replaces what those before made. */
export function derivedNodeId(collectionNodeId: string, { kind, of }: { kind: string; of: string }): string {
  return idOf(`${kind} of node ${of.toLowerCase()} in ${collectionNodeId.toLowerCase()}`)
}

/** A UUID of version 8, as RFC 9562 has for ids that are made so. */
function idOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
