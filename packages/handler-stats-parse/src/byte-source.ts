import type { FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import type { Packing } from './rotated-name.ts'

/** The bytes of a log file from some place on, unpacked. */
export interface ByteSource {
  /** Reads at most `length` bytes to `at` in `into`. @returns how many, 0 at the end. */
  read(into: Buffer, at: number, length: number): Promise<number>
  /** True when the file broke off or could not be unpacked any further: what came before is good, and the end has come. */
  readonly damaged: boolean
  /** Lets go of the memory; the file stays open. */
  close(): Promise<void>
}

const PACKED_CHUNK_BYTES = 64 * 1024
const UNPACKED_CHUNK_BYTES = 256 * 1024
/** Of one packed file no more is unpacked: a few kilobytes can hold terabytes of nothing. */
const MOST_UNPACKED_BYTES = 8 * 1024 ** 3
/** 32 MiB: what reading may need for a file packed by zstd. Its writers take 8 MiB unless they are told otherwise. */
const ZSTD_WINDOW_LOG = 25

export interface BytesOptions {
  packing: Packing
  /** Where to begin, in unpacked bytes. */
  from: number
  signal: AbortSignal
}

/** Reads an open file from `from` on. The file must stay open until the source is closed. */
export function openBytes(file: FileHandle, { packing, from, signal }: BytesOptions): ByteSource {
  if (packing === 'gzip' || packing === 'zstd') return packedBytes(unpack(file, packing), from, signal)
  let position = from
  return {
    damaged: false,
    async read(into, at, length) {
      const { bytesRead } = await file.read(into, at, length, position)
      position += bytesRead
      return bytesRead
    },
    close: async () => {},
  }
}

function packedBytes(chunks: AsyncGenerator<Buffer>, from: number, signal: AbortSignal): ByteSource {
  let chunk: Buffer = Buffer.alloc(0)
  let unpacked = 0
  let damaged = false
  const next = async (): Promise<boolean> => {
    try {
      if (unpacked > MOST_UNPACKED_BYTES) damaged = true
      const { value, done } = damaged ? { value: undefined, done: true } : await chunks.next()
      if (done || value === undefined) return false
      chunk = value
      unpacked += value.length
      return true
    } catch (error) {
      if (!isDamage(error)) throw error
      damaged = true
      return false
    }
  }
  return {
    get damaged() {
      return damaged
    },
    async read(into, at, length) {
      while (chunk.length === 0 || unpacked <= from) {
        signal.throwIfAborted()
        if (!(await next())) return 0
        if (unpacked > from) chunk = chunk.subarray(Math.max(0, chunk.length - (unpacked - from)))
      }
      const bytes = chunk.copy(into, at, 0, length)
      chunk = chunk.subarray(bytes)
      return bytes
    },
    close: async () => void (await chunks.return(undefined)),
  }
}

/** A file packed by zstd may be several, one after the other, and the decoder stops after the first; gzip's goes on by itself. */
async function* unpack(file: FileHandle, packing: 'gzip' | 'zstd'): AsyncGenerator<Buffer> {
  const { size } = await file.stat()
  for (let position = 0; position < size; ) {
    const decoder = packing === 'gzip' ? createGunzip() : createUnzstd()
    // Errors come out of the decoder, which is iterated over.
    pipeline(Readable.from(readChunks(file, position), { objectMode: false }), decoder, () => {})
    yield* decoder
    if (packing === 'gzip') return
    position += decoder.bytesWritten
  }
}

async function* readChunks(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  for (let position = from; ; ) {
    const buffer = Buffer.allocUnsafe(PACKED_CHUNK_BYTES)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const createGunzip = () => zlib.createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES })
const createUnzstd = () =>
  zlib.createZstdDecompress({ chunkSize: UNPACKED_CHUNK_BYTES, params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })

/** The unpacker's own complaints; not the disk's, and not a lack of memory. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(?:Z_|ZSTD_)/.test(code) && !/mem/i.test(code)
}
