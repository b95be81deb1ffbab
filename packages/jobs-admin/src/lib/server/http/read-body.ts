import type { Problem } from './problem.ts'

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  /** More is refused without being kept. Default 131,072 (128 KiB). */
  maxBytes?: number
  /** A body that has not come in this time is given up. Default 10,000. */
  timeoutMs?: number
}

/** The text of a body, or why there is none. */
export type BodyText = { text: string } | { problem: Problem }

const defaultMaxBytes = 128 * 1024
const defaultTimeoutMs = 10_000

/** Reads a body as UTF-8 while it comes, never holding more than the limit. Never throws. */
export async function readBody(
  request: Request,
  { maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs }: BodyLimits = {},
): Promise<BodyText> {
  const tooLarge: BodyText = { problem: { status: 413, code: 'BODY_TOO_LARGE', detail: `A body has at most ${maxBytes} bytes.` } }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge
  const reader = request.body?.getReader()
  if (!reader) return { text: '' }
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), timeoutMs)
  try {
    const chunks = await Promise.race([readChunks(reader, maxBytes), late.promise])
    if (chunks === 'late') return { problem: { status: 408, code: 'BODY_LATE', detail: `The body did not come within ${timeoutMs} ms.` } }
    return chunks ? decode(chunks) : tooLarge
  } catch (error) {
    // The web server may have a lower limit of its own.
    return (error as { status?: unknown } | null)?.status === 413 ? tooLarge : { problem: badBody('The body broke off.') }
  } finally {
    clearTimeout(timer)
    // Ends a read that is still waiting. Not cancelled: a web server ends the connection then, and the answer with it.
    reader.releaseLock()
  }
}

/** Undefined when there is more than the limit. */
async function readChunks(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength
    if (size > maxBytes) return undefined
    chunks.push(next.value)
  }
  return chunks
}

function decode(chunks: Uint8Array[]): BodyText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) }
  } catch {
    return { problem: badBody('The body is not UTF-8.') }
  }
}

function badBody(detail: string): Problem {
  return { status: 400, code: 'BODY_INVALID', detail }
}
