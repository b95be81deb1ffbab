import { createHmac, timingSafeEqual } from 'node:crypto'

/** Who may sign, and for what. */
export interface ApiKey {
  /** Who signs: `iss` of the token. */
  apiKey: string
  /** What is signed with (HS256). */
  apiSecret: string
}

/** What a token allows. */
export interface VideoGrant {
  roomList?: boolean
  roomAdmin?: boolean
  room?: string
}

/** Reads a signed token as LiveKit does, by itself and not with a client's library. @returns the grant, or why there is none. */
export function readToken(authorization: string | undefined, { apiKey, apiSecret }: ApiKey, nowS: number): VideoGrant | string {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) return 'authorization header required'
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = decode(head)
  const claims = decode(body)
  if (header === undefined || claims === undefined || header.alg !== 'HS256') return 'invalid token'
  if (claims.iss !== apiKey) return 'invalid API key'
  const expected = createHmac('sha256', apiSecret).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid token: signature is invalid'
  if (typeof claims.exp !== 'number' || claims.exp <= nowS) return 'invalid token: token is expired'
  if (typeof claims.nbf === 'number' && claims.nbf > nowS) return 'invalid token: token is not valid yet'
  return (claims.video as VideoGrant | undefined) ?? {}
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
