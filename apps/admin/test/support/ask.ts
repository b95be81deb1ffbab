import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Question {
  method?: string
  /** As they go over the wire: also those that a browser sets by itself. */
  headers?: Record<string, string>
  body?: string
}

/** Asks the server as anything that speaks HTTP can. */
export type Ask = (path: string, question?: Question) => Promise<Answer>

/** How a server is reached on this machine. */
export interface Reach {
  port: number
  /** What goes out as `Host`. Default: that of the origin browsers use. */
  host?: string
  /** The certificate of who vouches for it: by TLS, and checked. Default: plain http. */
  ca?: string
}

export function createAsk(reach: Reach): Ask {
  return async (path, question) => {
    const answer = await open(reach, path, question)
    const text = Buffer.concat(await answer.toArray()).toString()
    return { status: answer.statusCode ?? 0, headers: answer.headers, text }
  }
}

/** An answer whose body is still to come. */
export async function open(reach: Reach, path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<IncomingMessage> {
  const { port, host = 'admin.example.org', ca } = reach
  // Node declares no length for methods that seldom have a body.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { host: '127.0.0.1', port, path, method, headers: { host, ...length, ...headers } }
  const sent = ca === undefined ? request(options) : secureRequest({ ...options, ca, servername: host })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}
