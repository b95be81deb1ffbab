import { parseTime } from './access-time.ts'

/** One request of a Caddy access log: the fields that counting needs, in any of the shapes Caddy has written them. */
export interface AccessLine {
  /** When, in seconds since 1970. */
  seconds: number
  method: string
  status: number
  /** Bytes of body handed to the kernel; a listener who left early may have received a little less. */
  size: number
  /** As requested: escaped, with the query. */
  uri: string
  /** The client behind trusted proxies, where Caddy knows it (2.7 and later). */
  address: string | undefined
  userAgent: string | undefined
  range: string | undefined
  /** Why a browser asks, when it says so: `prefetch`. */
  purpose: string | undefined
  contentRange: string | undefined
  contentLength: string | undefined
  contentType: string | undefined
  contentEncoding: string | undefined
}

type Fields = Record<string, unknown>

/** Reads one line. Never throws: what is no request says what it is instead. */
export function parseAccessLine(text: string): AccessLine | 'blank' | 'malformed' | 'other_logger' {
  if (text.trim() === '') return 'blank'
  const line = asFields(parseJson(text))
  if (!line) return 'malformed'
  if (typeof line.logger === 'string' && !line.logger.startsWith('http.log.access')) return 'other_logger'
  const request = asFields(line.request)
  const seconds = parseTime(line.ts)
  const { status, size } = line
  if (!request || seconds === undefined || !isCount(status) || !isCount(size)) return 'malformed'
  if (typeof request.method !== 'string' || typeof request.uri !== 'string') return 'malformed'
  const asked = asFields(request.headers)
  const answered = asFields(line.resp_headers)
  return {
    seconds,
    method: request.method,
    status,
    size,
    uri: request.uri,
    address: textOf(request.client_ip) ?? textOf(request.remote_ip) ?? textOf(request.remote_addr),
    userAgent: headerOf(asked, 'User-Agent'),
    range: headerOf(asked, 'Range'),
    purpose: headerOf(asked, 'Sec-Purpose') ?? headerOf(asked, 'Purpose') ?? headerOf(asked, 'X-Purpose') ?? headerOf(asked, 'X-Moz'),
    contentRange: headerOf(answered, 'Content-Range'),
    contentLength: headerOf(answered, 'Content-Length'),
    contentType: headerOf(answered, 'Content-Type'),
    contentEncoding: headerOf(answered, 'Content-Encoding'),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

// Go logs headers as arrays: { "User-Agent": ["…"] }.
function headerOf(headers: Fields | undefined, name: string): string | undefined {
  const value = headers?.[name]
  return textOf(Array.isArray(value) ? value[0] : value)
}
