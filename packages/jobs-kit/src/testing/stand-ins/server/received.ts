import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A request as a stand-in has received it. */
export interface ReceivedRequest {
  readonly method: string
  /** Path without query, decoded by nobody. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The status that was sent; undefined before that, and when none was. */
  status: number | undefined
  /** Settles when all is over: answered to the end, cut by the stand-in, or left by the client. */
  readonly ended: Promise<'answered' | 'cut' | 'left'>
}

/** Requests in the order they came, for who waits for one. */
export interface RequestLog<Request> {
  readonly requests: readonly Request[]
  add(request: Request): void
  /** The request of that number, counted from 1, as soon as it has begun. */
  received(number: number): Promise<Request>
}

export function createRequestLog<Request>(): RequestLog<Request> {
  const requests: Request[] = []
  const waiting: { number: number; resolve: (request: Request) => void }[] = []
  return {
    requests,
    add(request) {
      requests.push(request)
      for (const { number, resolve } of waiting) {
        if (number === requests.length) resolve(request)
      }
    },
    received(number) {
      const request = requests[number - 1]
      if (request !== undefined) return Promise.resolve(request)
      return new Promise((resolve) => waiting.push({ number, resolve }))
    },
  }
}

/** What a request says before its body is read. */
export function describeRequest(request: IncomingMessage): Pick<ReceivedRequest, 'method' | 'path' | 'query' | 'headers'> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  return { method: request.method ?? '', path, query: new URLSearchParams(query), headers: request.headers }
}
