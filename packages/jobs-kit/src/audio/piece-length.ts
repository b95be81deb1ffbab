import type { FileHandle } from 'node:fs/promises'

export type PieceFormat = 'flac' | 'wav'

const wavHeaderBytes = 44
const flacHeaderBytes = 42

/**
 * How many samples a piece holds by its own header, which ffmpeg writes last; undefined when the piece is not whole. A disk that is full
 * is found here whatever ffmpeg thought of it.
 */
export async function countSamples(handle: FileHandle, format: PieceFormat): Promise<number | undefined> {
  return format === 'wav' ? countWav(handle) : countFlac(handle)
}

/** 16 bits a sample, behind a header that ends with the number of bytes. */
async function countWav(handle: FileHandle): Promise<number | undefined> {
  const { size } = await handle.stat()
  const head = await read(handle, wavHeaderBytes)
  if (head?.toString('latin1', 36, 40) !== 'data') return undefined
  return head.readUInt32LE(40) === size - wavHeaderBytes ? (size - wavHeaderBytes) / 2 : undefined
}

/** STREAMINFO has the number of samples in 36 bits and the checksum of all of them, which is zero until the end is written. */
async function countFlac(handle: FileHandle): Promise<number | undefined> {
  const head = await read(handle, flacHeaderBytes)
  if (head?.toString('latin1', 0, 4) !== 'fLaC' || head.subarray(26).every((byte) => byte === 0)) return undefined
  return (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
}

async function read(handle: FileHandle, length: number): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, 0)
  return bytesRead === length ? buffer : undefined
}
