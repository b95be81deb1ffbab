import { etagOf, matchesEtag } from './etag.ts'

/** An answer of JSON that is not kept anywhere. */
export function jsonResponse(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
}

/** An answer of JSON for who asks again and again: 304 without a body when nothing has changed. Kept by the asker alone, and asked for each time. */
export function revalidatedJson(request: Request, value: unknown): Response {
  const body = JSON.stringify(value)
  const etag = etagOf(body)
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'accept, cookie' }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } })
}
