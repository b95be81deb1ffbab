/** One part of a form, with its body still on the way. */
export interface Part {
  name: string
  /** Undefined for a plain field. */
  fileName: string | undefined
  contentType: string | undefined
  /** To be read to its end before the next part is asked for, or not at all. */
  body: AsyncIterable<Buffer>
}

/** The body is no form as RFC 7578 has it. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError'
}

const maxHeaderBytes = 16 * 1024
const maxParts = 1_000

/** The boundary that a `Content-Type` names; undefined when it is no form. */
export function multipartBoundary(contentType: string | undefined): string | undefined {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2]
}

/**
 * Reads a form part by part as it arrives: never more than a chunk of it is in memory, however large its files are. Strict on purpose,
 * as a lenient reader would hide a client's faults.
 * @throws MultipartError
 */
export async function* readMultipart(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part, void> {
  // The first boundary has no line break before it: lend it one, and all are alike.
  const scanner = createScanner(source, Buffer.from('\r\n'))
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  if ((await scanner.collect(delimiter, maxHeaderBytes)).length > 0) throw new MultipartError('something stands before the first boundary')
  for (let parts = 0; ; parts++) {
    const next = (await scanner.take(2)).toString('latin1')
    if (next === '--') return scanner.skip()
    if (next !== '\r\n') throw new MultipartError('a boundary is not followed by a line break')
    if (parts === maxParts) throw new MultipartError(`more than ${maxParts} parts`)
    const headers = parseHeaders((await scanner.collect(Buffer.from('\r\n\r\n'), maxHeaderBytes)).toString('utf8'))
    const body = scanner.until(delimiter)
    yield { ...headers, body }
    for await (const _ of body);
  }
}

function parseHeaders(text: string): Omit<Part, 'body'> {
  const headers = new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new MultipartError('a line of a part’s headers has no name')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const name = parameter(disposition, 'name')
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw new MultipartError('a part has no Content-Disposition with a name')
  return { name, fileName: parameter(disposition, 'filename'), contentType: headers.get('content-type') }
}

/** A quoted parameter. Browsers and Node write quotes and line breaks inside as percent escapes. */
function parameter(disposition: string, name: string): string | undefined {
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1]
  return value?.replace(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped))
}

interface Scanner {
  /** What comes before the delimiter, which is taken out too. */
  until(delimiter: Buffer): AsyncGenerator<Buffer, void>
  collect(delimiter: Buffer, maxBytes: number): Promise<Buffer>
  take(bytes: number): Promise<Buffer>
  skip(): Promise<void>
}

function createScanner(source: AsyncIterable<Buffer>, start: Buffer): Scanner {
  const chunks = source[Symbol.asyncIterator]()
  let pending = start
  const more = async () => {
    const { done, value } = await chunks.next()
    if (done) throw new MultipartError('the body ends before its last boundary')
    pending = pending.length === 0 ? value : Buffer.concat([pending, value])
  }
  async function* until(delimiter: Buffer): AsyncGenerator<Buffer, void> {
    for (;;) {
      const at = pending.indexOf(delimiter)
      // Without the delimiter its first bytes may still stand at the end.
      const safe = at >= 0 ? at : pending.length - delimiter.length + 1
      if (safe > 0) yield pending.subarray(0, safe)
      pending = pending.subarray(Math.max(0, safe) + (at >= 0 ? delimiter.length : 0))
      if (at >= 0) return
      await more()
    }
  }
  return {
    until,
    async collect(delimiter, maxBytes) {
      const parts: Buffer[] = []
      let length = 0
      for await (const part of until(delimiter)) {
        length += part.length
        if (length > maxBytes) throw new MultipartError(`more than ${maxBytes} bytes where a boundary or a blank line should be`)
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
    async take(bytes) {
      while (pending.length < bytes) await more()
      const taken = pending.subarray(0, bytes)
      pending = pending.subarray(bytes)
      return taken
    },
    async skip() {
      while (!(await chunks.next()).done);
    },
  }
}
