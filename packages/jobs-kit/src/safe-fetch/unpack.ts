import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** What is asked for and understood, as `Accept-Encoding` names it. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/** A packed body may be so much longer than what it unpacks to. */
const slackBytes = 64 * 1024

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** What came of reading a body. */
export interface UnpackedBody {
  readonly body: Buffer
  /** False when it was longer than it may be; then `body` is its beginning. */
  readonly whole: boolean
}

/** Whether a body packed so can be read; several layers, and none that was not asked for, cannot. */
export function canUnpack(encoding: string): boolean {
  return encoding === '' || encoding === 'identity' || Object.hasOwn(unpackers, encoding)
}

/**
 * Reads a body, unpacks it and counts what comes out, whatever its length is said to be: at the limit both ends are cut. So a small body that unpacks to a huge one costs no more than the limit,
 * and a huge one that unpacks to nothing no more than a little above it.
 */
export async function unpack(packed: Readable, encoding: string, maxBytes: number): Promise<UnpackedBody> {
  const source = openUnpacker(packed, encoding, maxBytes + slackBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of source) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) break
    }
    return { body: Buffer.concat(chunks).subarray(0, maxBytes), whole: bytes <= maxBytes }
  } finally {
    source.destroy()
    packed.destroy()
  }
}

function openUnpacker(packed: Readable, encoding: string, maxPackedBytes: number): Readable {
  const unpacker = unpackers[encoding]?.()
  if (unpacker === undefined) return packed
  let bytes = 0
  packed.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxPackedBytes) packed.destroy(new Error(`the body is packed in more than ${maxPackedBytes} bytes`))
  })
  // A pipe does not hand on the end of a connection that broke.
  packed.on('error', (error) => unpacker.destroy(error))
  return packed.pipe(unpacker)
}
