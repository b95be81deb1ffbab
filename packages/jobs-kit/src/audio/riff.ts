import type { FileHandle } from 'node:fs/promises'

/** Larger sizes stand where a program did not know it: it wrote to a pipe, or the file is larger than the field can say. */
const maxKnownBytes = 0x7fff0000

/** How long a WAV or AIFF file should be by its header; undefined for other files, and where the header does not know. */
export async function readRiffBytes(handle: FileHandle): Promise<number | undefined> {
  const head = Buffer.alloc(12)
  const { bytesRead } = await handle.read(head, 0, head.length, 0)
  if (bytesRead < head.length) return undefined
  const isWav = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8) === 'WAVE'
  const isAiff = head.toString('latin1', 0, 4) === 'FORM' && /^AIF[FC]$/.test(head.toString('latin1', 8))
  if (!isWav && !isAiff) return undefined
  const bytes = isWav ? head.readUInt32LE(4) : head.readUInt32BE(4)
  return bytes > 0 && bytes < maxKnownBytes ? bytes + 8 : undefined
}
