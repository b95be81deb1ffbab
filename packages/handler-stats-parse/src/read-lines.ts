import type { ByteSource } from './byte-source.ts'

const NEWLINE = 10
const CHUNK_BYTES = 256 * 1024
const LONGEST_LINE_BYTES = 1024 * 1024

export interface ReadLinesOptions {
  /** Where the source begins in the file, in bytes: the first line's offset. */
  fromOffset: number
  /** True for a file that nobody writes to any more: what follows its last line feed is a line too. */
  final: boolean
  /** Reading stops at the end of the line that reaches this many bytes. */
  maxBytes: number
  /** Asked after each chunk; true ends the reading, once it has got anywhere. */
  isTimeUp: () => boolean
  signal: AbortSignal
  /** Called for every whole line, without its line feed, and where it begins. Return false to stop after it. */
  onLine: (line: string, offset: number) => boolean
  /** Called once for a line of more than 1 MiB, whose bytes are dropped as they come: a hole left by a crash must not eat memory. */
  onTooLong: () => void
  /** Called after each chunk with the bytes consumed so far. */
  onProgress?: (bytes: number) => void
}

export interface ReadLinesResult {
  /** Where the next run begins: after the last whole line, never inside one that is still being written. */
  offset: number
  /** True when a bound ended the reading, not the end of the file. */
  stopped: boolean
}

/** Reads whole lines, a chunk at a time, giving the event loop its turn between chunks. */
export async function readLines(source: ByteSource, options: ReadLinesOptions): Promise<ReadLinesResult> {
  const { fromOffset, maxBytes, signal, onTooLong } = options
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES * 2)
  let held = 0
  let consumed = 0
  let dropping = false
  for (;;) {
    signal.throwIfAborted()
    if (buffer.length - held < CHUNK_BYTES) buffer = Buffer.concat([buffer.subarray(0, held)], buffer.length * 2)
    const bytesRead = await source.read(buffer, held, CHUNK_BYTES)
    const filled = buffer.subarray(0, held + bytesRead)
    const chunk = { filled, offset: fromOffset + consumed, searchFrom: held, dropping, maxBytes: maxBytes - consumed }
    if (bytesRead === 0) return { offset: chunk.offset + takeRest(chunk, options), stopped: false }
    const taken = takeLines(chunk, options)
    dropping &&= taken.bytes === 0
    held = filled.length - taken.bytes
    consumed += taken.bytes
    filled.copy(buffer, 0, taken.bytes)
    if (!dropping && !taken.stopped && held > LONGEST_LINE_BYTES) {
      dropping = true
      onTooLong()
    }
    if (dropping) {
      consumed += held
      held = 0
    }
    options.onProgress?.(consumed)
    if (taken.stopped || consumed >= maxBytes || (consumed > 0 && options.isTimeUp()))
      return { offset: fromOffset + consumed, stopped: true }
  }
}

interface Chunk {
  filled: Buffer
  /** Where it begins in the file. */
  offset: number
  /** Where the first line feed can be: everything before was searched already. */
  searchFrom: number
  /** True when the chunk begins inside a line that is being dropped. */
  dropping: boolean
  maxBytes: number
}

function takeLines(chunk: Chunk, options: ReadLinesOptions): { bytes: number; stopped: boolean } {
  const { filled, searchFrom, maxBytes } = chunk
  let start = 0
  let drop = chunk.dropping
  for (let end = filled.indexOf(NEWLINE, searchFrom); end !== -1; end = filled.indexOf(NEWLINE, start)) {
    const goOn = drop || takeLine(chunk, [start, end], options)
    drop = false
    start = end + 1
    if (!goOn || start >= maxBytes) return { bytes: start, stopped: true }
  }
  return { bytes: start, stopped: false }
}

/** The file has ended. @returns how many bytes were taken. */
function takeRest(chunk: Chunk, options: ReadLinesOptions): number {
  const { length } = chunk.filled
  if (length === 0 || !options.final) return 0
  if (!chunk.dropping) takeLine(chunk, [0, length], options)
  return length
}

function takeLine({ filled, offset }: Chunk, [start, end]: [number, number], { onLine, onTooLong }: ReadLinesOptions): boolean {
  if (end - start <= LONGEST_LINE_BYTES) return onLine(filled.toString('utf8', start, end), offset + start)
  onTooLong()
  return true
}
