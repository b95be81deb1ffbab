/** Reads a small body whole. @throws RangeError when it is longer than allowed. */
export async function readBody(source: AsyncIterable<Buffer>, maxBytes = 10 * 1024 * 1024): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > maxBytes) throw new RangeError(`The body is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a body that nobody wants to see. */
export async function discardBody(source: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of source);
}
