/** On answers of data: never sniffed, never embedded, never kept by default. */
const ofData = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * On pages. SvelteKit writes the policy for scripts and styles, since it alone knows its nonces (`csp` in the host's configuration); a
 * second policy can only forbid more, and this one forbids what no page of ours needs.
 *
 * Not `no-referrer`: browsers would send `Origin: null` with a form, and SvelteKit would refuse it. `same-origin` tells other sites nothing either.
 */
const ofPages = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
const pagePolicy = "frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'"

/** The answer with the headers of data. What it says about caching stays; without that it is kept nowhere. */
export function secureData(response: Response): Response {
  return withHeaders(response, (headers) => {
    for (const [name, value] of Object.entries(ofData)) headers.set(name, value)
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  })
}

/** The answer with the headers of a page; what SvelteKit or the host has set stays beside it. */
export function securePage(response: Response): Response {
  return withHeaders(response, (headers) => {
    for (const [name, value] of Object.entries(ofPages)) if (!headers.has(name)) headers.set(name, value)
    headers.append('content-security-policy', pagePolicy)
    if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
  })
}

/** A response's own headers may be immutable, as those of a redirect are. */
function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(response.headers)
  change(headers)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
