/** What an answer that is not a success says, as RFC 9457 has it. All of it may be shown to whoever asked. */
export interface Problem {
  /** The HTTP status. */
  status: number
  /** Stable, `UPPER_SNAKE_CASE`: what a page turns into a text in the reader's language. */
  code: string
  /** One English sentence: what was expected, what came, what to do. Never SQL, paths, hosts or stacks. */
  detail: string
  /** Finds the error in the host's log. Only where there is more to be found there. */
  correlationId?: string
  /** Whole seconds after which the same request may succeed: the header Retry-After. */
  retryAfterSeconds?: number
  /** The right that is missing: of NOT_ALLOWED. */
  right?: 'view' | 'act' | 'view_raw'
  /** The methods that the path knows: the header Allow. */
  allow?: readonly string[]
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The problem as application/problem+json. The type is `about:blank`: title and status say the same, `code` says which problem it is. */
export function problemResponse(problem: Problem): Response {
  const { status, code, detail, correlationId, retryAfterSeconds, allow } = problem
  const body = { type: 'about:blank', title: titles[status] ?? 'Error', status, code, detail, correlation_id: correlationId }
  const headers = new Headers({ 'content-type': 'application/problem+json' })
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  if (allow) headers.set('allow', allow.join(', '))
  return new Response(JSON.stringify(body), { status, headers })
}
