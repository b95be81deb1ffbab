import { createHash } from 'node:crypto'

/** The id of the node that is a job's own: the same in each of its runs, another one for every job. A UUID of version 8, as RFC 9562 has for ids that are made so. */
export function ownNodeId(jobId: string): string {
  const bytes = createHash('sha256').update(`node of job ${jobId.toLowerCase()}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
