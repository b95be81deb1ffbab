import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { OptionsInit, Request } from 'got'
import { encodeForm } from './form-body.ts'
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts'
import { answerTooLarge, failedCall, notJson, refusedCall } from './upstream-errors.ts'

const defaultMaxBytes = 1024 * 1024
const maxErrorBytes = 64 * 1024
const connectMs = 5_000
const secureConnectMs = 10_000
const sendMs = 60_000
/** A large upload may take longer, but not be slower than a poor line: 2 Mbit/s. */
const slowestBytesPerMs = 250

/** Who is called. */
export interface HttpClientOptions {
  /** The name an operator knows it by: `transcription`, `gateway`, `livekit`. */
  service: string
}

/** Makes the client of a service. Nothing is connected before the first call, and nothing stays connected between two. */
export function createHttpClient({ service }: HttpClientOptions): HttpClient {
  return Object.freeze({ service, request: (request: HttpRequest) => send(service, request) })
}

async function send(service: string, request: HttpRequest): Promise<HttpResponse> {
  const about = { service, method: request.method, url: request.url, timeoutMs: request.timeoutMs }
  // Only now: 40 MB of memory, which a worker that calls nobody does without.
  const { default: got } = await import('got')
  request.signal.throwIfAborted()
  const agent = agentFor(request.url)
  const call = got.stream(request.url, { ...toOptions(request), agent: { http: agent, https: agent as HttpsAgent } })
  try {
    const { status, headers, body, whole } = await readAnswer(call, request.maxBytes ?? defaultMaxBytes)
    if (status < 200 || status > 299) throw refusedCall(about, { status, headers, text: body.toString('utf8') })
    if (!whole) throw answerTooLarge(about, request.maxBytes ?? defaultMaxBytes)
    const text = body.toString('utf8')
    return Object.freeze({ status, headers, text, json: () => parse(text, () => notJson(about, headers['content-type'], text)) })
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    throw failedCall(about, error)
  } finally {
    call.destroy()
    agent.destroy()
  }
}

/**
 * An agent of the call's own. A connection kept for the next one might be just closing at the other end, and no POST may be sent twice. But it is asked
 * for as one that stays: a server that is told to close hangs up as soon as it has answered, and its refusal of an upload under way would be lost.
 */
function agentFor({ protocol }: URL): HttpAgent {
  return protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
}

function toOptions({ method, headers, json, form, timeoutMs, signal }: HttpRequest): OptionsInit {
  const encoded = form && encodeForm(form)
  const sendTimeoutMs = Math.max(sendMs, (encoded?.bytes ?? 0) / slowestBytesPerMs)
  return {
    ...{ method, signal, headers: { 'user-agent': 'sidelinja-jobs', ...headers, ...encoded?.headers } },
    ...(json !== undefined && { json }),
    ...(encoded && { body: encoded.stream }),
    timeout: {
      ...{ lookup: connectMs, connect: connectMs, secureConnect: secureConnectMs },
      ...{ send: Math.min(sendTimeoutMs, timeoutMs), request: timeoutMs },
    },
    ...{ retry: { limit: 0 }, followRedirect: false, throwHttpErrors: false },
  }
}

interface Answer {
  status: number
  headers: Record<string, string | undefined>
  body: Buffer
  /** False when it was longer than it may be; then `body` is its beginning. */
  whole: boolean
}

async function readAnswer(call: Request, maxBytes: number): Promise<Answer> {
  let response: IncomingMessage | undefined
  call.once('response', (answered: IncomingMessage) => {
    response = answered
  })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of call) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > (isSuccess(response) ? maxBytes : maxErrorBytes)) break
  }
  const headers = Object.fromEntries(Object.entries(response?.headers ?? {}).map(([name, value]) => [name, [value].flat().join(', ')]))
  return { status: response?.statusCode ?? 0, headers, body: Buffer.concat(chunks), whole: bytes <= maxBytes }
}

function isSuccess(response: IncomingMessage | undefined): boolean {
  const status = response?.statusCode ?? 0
  return status >= 200 && status < 300
}

function parse(text: string, refusal: () => Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal()
  }
}
