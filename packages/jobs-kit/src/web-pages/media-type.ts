/** What a page is. */
export type PageKind = 'html' | 'text' | 'pdf'

const kinds: Readonly<Record<string, PageKind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/x-markdown': 'text',
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
}
/** Types that say nothing: what came decides. */
const unsaid = [
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/x-download',
  'application/force-download',
]

/** A content type without its parameters, and the name of its encoding. */
export interface MediaType {
  readonly type: string
  readonly charset: string | undefined
}

export function parseMediaType(header: string | undefined): MediaType {
  const [type = '', ...parameters] = (header ?? '').slice(0, 1_000).split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(parameter)?.[1])
    .find((name) => name !== undefined)
  return { type: type.trim().toLowerCase(), charset }
}

/** Whether a page of that type may be one that is read. */
export function mayBePage(type: string): boolean {
  return Object.hasOwn(kinds, type) || unsaid.includes(type)
}

/** What the bytes are, by what they say themselves and what is said of them; undefined for what is not read. */
export function kindOf(type: string, bytes: Uint8Array): PageKind | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const said = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  // A text may speak of it.
  if (said === 'html' || said === 'text' ? /^\s*%PDF-\d/.test(start) : start.includes('%PDF-')) return 'pdf'
  if (said !== undefined) return said === 'pdf' ? undefined : said
  if (!unsaid.includes(type) || start.includes('\0')) return undefined
  return /^(\u00ef\u00bb\u00bf)?\s*<(!doctype\s+html|html|head|body|!--|\?xml)/i.test(start) ? 'html' : type === '' ? 'text' : undefined
}
