import { decodeWindows1252 } from '../charset/windows-1252.ts'

/** How the bytes of a text were read. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** A text, and how it was read. */
export interface DecodedText {
  readonly text: string
  readonly encoding: TextEncoding
}

/** Zeros in every second byte show in so many bytes, if at all. */
const LOOKED_AT = 1024

/**
 * Bytes as text: by their byte order mark, else UTF-16 if every second byte is zero, else UTF-8 if they are that, else windows-1252, which
 * every byte is. Mostly UTF-8 stays UTF-8: what cannot be read becomes U+FFFD.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = byMark(bytes) ?? byZeros(bytes.subarray(0, LOOKED_AT)) ?? byContent(bytes)
  // Takes a byte order mark out.
  return { encoding, text: encoding === 'windows-1252' ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes) }
}

function byMark([first, second, third]: Uint8Array): TextEncoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

function byZeros(bytes: Uint8Array): TextEncoding | undefined {
  const zeros = [0, 0]
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = bytes.length / 4
  if (Math.max(even, odd) <= many || Math.min(even, odd) > 0) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

function byContent(bytes: Uint8Array): TextEncoding {
  const text = new TextDecoder('utf-8').decode(bytes)
  const unreadable = count(text, /\ufffd/g)
  // One sequence that was cut in the middle makes no other encoding of the rest.
  return unreadable === 0 || count(text, /[\u0080-\ufffc]/g) > unreadable ? 'utf-8' : 'windows-1252'
}

function count(text: string, pattern: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(pattern)) found++
  return found
}
