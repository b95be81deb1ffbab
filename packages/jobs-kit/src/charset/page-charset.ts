import { decodeWindows1252 } from './windows-1252.ts'

/** A text, and the name of the encoding it was read by. */
export interface DecodedPage {
  readonly text: string
  readonly charset: string
}

/** Browsers look at the first 1,024 bytes; sites that put comments before it, and were made with one that looks further, are read all the same. */
const lookedAtBytes = 64 * 1024
const fallback = 'windows-1252'

/**
 * A page's bytes as text: by its byte order mark, else by what its header says, else by what it says itself; a name that nobody knows says nothing. Else UTF-8 if it is that to the last byte,
 * and windows-1252 if not, which every byte is. Never throws: what cannot be read becomes U+FFFD.
 */
export function decodePage(bytes: Uint8Array, headerCharset?: string | undefined): DecodedPage {
  const charset = byMark(bytes) ?? known(headerCharset) ?? known(declaredIn(bytes)) ?? (isUtf8(bytes) ? 'utf-8' : fallback)
  return { charset, text: charset === fallback ? decodeWindows1252(bytes) : new TextDecoder(charset).decode(bytes) }
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/** The encoding that a name means: latin1 and ASCII mean windows-1252. */
function known(label: string | undefined): string | undefined {
  try {
    const { encoding } = new TextDecoder(label?.trim() || 'unknown')
    return encoding === 'iso-8859-1' ? fallback : encoding
  } catch {
    return undefined
  }
}

/** `<meta charset>`, `<meta http-equiv>` or the declaration of XML; not in a comment. One that can be read at all is not in UTF-16, whatever it says. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, lookedAtBytes))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  const [, inXml] = /^\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head) ?? []
  const label =
    inXml ??
    head
      .match(/<meta\b[^>]{0,1000}/gi)
      ?.map(charsetOf)
      .find((name) => name !== undefined)
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** Of its attribute, or of the content type it stands for: another one that only speaks of it, as a description may, says nothing. */
function charsetOf(meta: string): string | undefined {
  const attributes = [...meta.matchAll(/([\w-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*))/g)]
  const attributeOf = (name: string) => {
    const found = attributes.find(([, key = '']) => key.toLowerCase() === name)
    return (found?.[2] ?? found?.[3] ?? found?.[4])?.trim()
  }
  const ofType = /^content-type$/i.test(attributeOf('http-equiv') ?? '')
    ? /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(attributeOf('content') ?? '')?.[1]
    : undefined
  return attributeOf('charset')?.slice(0, 40) || ofType
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
