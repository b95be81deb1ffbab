import type { FileHandle } from 'node:fs/promises'

const NEWLINE = 10
const CHUNK_BYTES = 256 * 1024
const LONGEST_LINE_BYTES = 1024 * 1024

export interface ReadLinesOptions {
  /** Where the first line begins, in bytes. */
  fromOffset: number
  /** Reading stops at the end of the line that reaches this many bytes. */
  maxBytes: number
  signal: AbortSignal
  /** Called for every whole line, without its line feed. Return false to stop after it. */
  onLine: (line: string) => boolean
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

/** Reads whole lines from an open file, a chunk at a time, giving the event loop its turn between chunks. */
export async function readLines(file: FileHandle, options: ReadLinesOptions): Promise<ReadLinesResult> {
  const { fromOffset, maxBytes, signal, onTooLong } = options
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES * 2)
  let held = 0
  let consumed = 0
  let dropping = false
  for (;;) {
    signal.throwIfAborted()
    if (buffer.length - held < CHUNK_BYTES) buffer = Buffer.concat([buffer.subarray(0, held)], buffer.length * 2)
    const { bytesRead } = await file.read(buffer, held, CHUNK_BYTES, fromOffset + consumed + held)
    if (bytesRead === 0) return { offset: fromOffset + consumed, stopped: false }
    const filled = buffer.subarray(0, held + bytesRead)
    const taken = takeLines(filled, { searchFrom: held, dropping, maxBytes: maxBytes - consumed, options })
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
    if (taken.stopped || consumed >= maxBytes) return { offset: fromOffset + consumed, stopped: true }
  }
}

interface Take {
  /** Where the first line feed can be: everything before was searched already. */
  searchFrom: number
  /** True when the chunk begins inside a line that is being dropped. */
  dropping: boolean
  maxBytes: number
  options: ReadLinesOptions
}

function takeLines(filled: Buffer, { searchFrom, dropping, maxBytes, options }: Take): { bytes: number; stopped: boolean } {
  let start = 0
  let drop = dropping
  for (let end = filled.indexOf(NEWLINE, searchFrom); end !== -1; end = filled.indexOf(NEWLINE, start)) {
    const goOn = drop || takeLine(filled, [start, end], options)
    drop = false
    start = end + 1
    if (!goOn || start >= maxBytes) return { bytes: start, stopped: true }
  }
  return { bytes: start, stopped: false }
}

function takeLine(filled: Buffer, [start, end]: [number, number], { onLine, onTooLong }: ReadLinesOptions): boolean {
  if (end - start <= LONGEST_LINE_BYTES) return onLine(filled.toString('utf8', start, end))
  onTooLong()
  return true
}
