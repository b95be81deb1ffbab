import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

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

export function createAsk(port: number): Ask {
  return async (path, question) => {
    const answer = await open(port, path, question)
    const text = Buffer.concat(await answer.toArray()).toString()
    return { status: answer.statusCode ?? 0, headers: answer.headers, text }
  }
}

/** An answer whose body is still to come. */
export async function open(port: number, path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<IncomingMessage> {
  // Node declares no length for methods that seldom have a body.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: 'admin.example.org', ...length, ...headers } })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}
