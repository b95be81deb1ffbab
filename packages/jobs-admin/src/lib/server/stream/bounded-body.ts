/** A body that is written bit by bit and never holds more than a fixed size for a reader that does not read. */
export interface BoundedBody {
  readonly body: ReadableStream<Uint8Array>
  /** False: it does not fit any more, and nothing was written. */
  write(text: string): boolean
  /** Bytes that the reader has not taken yet. */
  unread(): number
  /** What is unread still arrives. */
  close(): void
  /** Drops what is unread; the reader's connection breaks. */
  breakOff(): void
}

/** @param onCancel called when the reader goes away */
export function createBoundedBody(maxBytes: number, onCancel: () => void): BoundedBody {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made
      },
      cancel: onCancel,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBytes }),
  )
  const room = () => controller?.desiredSize ?? 0
  return {
    body,
    write(text) {
      const bytes = encoder.encode(text)
      if (bytes.byteLength > room()) return false
      controller?.enqueue(bytes)
      return true
    },
    unread: () => maxBytes - room(),
    close: () => safely(() => controller?.close()),
    breakOff: () => safely(() => controller?.error(new Error('The reader was too slow.'))),
  }
}

function safely(act: () => void): void {
  try {
    act()
  } catch {
    // The reader went away a moment ago.
  }
}
