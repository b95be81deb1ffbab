import { createHash } from 'node:crypto'

/** What git calls a content. */
export function blobSha(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
