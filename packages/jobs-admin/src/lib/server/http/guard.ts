import type { Problem } from './problem.ts'

/** What of a request tells where it comes from and what it can do. */
export interface RequestFacts {
  method: string
  /** The request's headers. */
  headers: Headers
  /** The origin under which browsers reach this server. */
  ownOrigin: string
}

/** What a request may carry: `json` for endpoints, `form` for the form actions of pages. */
export type BodyKind = 'json' | 'form'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const formTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/**
 * Whether another site's page may have sent this request. SvelteKit looks at forms only, so this decides for everything that
 * changes something: it must come from a page of our own origin, and hold JSON, which no form of another site can send. Pure.
 * @returns the reason to refuse, or undefined
 */
export function refusalOf(facts: RequestFacts, body: BodyKind): Problem | undefined {
  if (safeMethods.has(facts.method)) return undefined
  return foreignOrigin(facts) ?? wrongType(facts.headers.get('content-type'), body)
}

/**
 * The same for reading data, where browsers say so: another site's page cannot see the answer, but could measure it. A typed
 * address (`none`) is somebody's own doing.
 */
export function foreignReader({ headers }: RequestFacts): Problem | undefined {
  const site = headers.get('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site' ? crossSite : undefined
}

/** True where a browser says that the page is ours, and its origin is not the one we believe to have: a server that is set up wrong. */
export function isOriginMisconfigured({ headers, ownOrigin }: RequestFacts): boolean {
  const origin = headers.get('origin')
  return headers.get('sec-fetch-site') === 'same-origin' && origin !== null && origin !== 'null' && origin !== ownOrigin
}

const crossSite: Problem = {
  status: 403,
  code: 'CROSS_SITE',
  detail:
    'This comes from another site, or does not say where it comes from. Requests that change something must come from a page of this server.',
}
const originMismatch: Problem = {
  status: 403,
  code: 'ORIGIN_MISMATCH',
  detail:
    'The page has another origin than the server believes to have. If this is the server’s own page, its public address is set wrong: its log says how.',
}

/** Where both headers are sent, both must agree: a name that leads to this server without being its own has `same-origin` too. */
function foreignOrigin(facts: RequestFacts): Problem | undefined {
  const site = facts.headers.get('sec-fetch-site')
  const origin = facts.headers.get('origin')
  if (site !== null && site !== 'same-origin') return crossSite
  if (isOriginMisconfigured(facts)) return originMismatch
  if (site === 'same-origin' && origin === null) return undefined
  return origin === facts.ownOrigin ? undefined : crossSite
}

function wrongType(contentType: string | null, body: BodyKind): Problem | undefined {
  const fits = body === 'json' ? isJson(contentType) : formTypes.has(typeOf(contentType))
  if (fits) return undefined
  const expected = body === 'json' ? 'application/json' : [...formTypes].join(' or ')
  return { status: 415, code: 'CONTENT_TYPE', detail: `Expected the content type ${expected}.` }
}

/** Exactly application/json; of parameters only charset=utf-8. */
function isJson(contentType: string | null): boolean {
  return /^application\/json(\s*;\s*charset=("utf-8"|utf-8))?\s*$/i.test(contentType ?? '')
}

function typeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
