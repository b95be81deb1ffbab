import { isUtf8 } from 'node:buffer'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isJobsError } from '@sidelinja/jobs-core'
import { failedCall, timedOutCall } from '../http/upstream-errors.ts'
import { type AddressRules, createAddressRules } from './address-rules.ts'
import { checkUrl } from './check-url.ts'
import { createCheckedAgent, type Resolve, resolveBySystem } from './checked-agent.ts'
import { addressRefused, tooManyRedirects } from './refusals.ts'
import { type FetchedAnswer, type FetchRequest, NotAsked, type SafeFetch } from './safe-fetch.ts'
import { ACCEPTED_ENCODINGS, canUnpack, unpack } from './unpack.ts'

const mostRedirects = 5
const redirects = [301, 302, 303, 307, 308]

/** Who fetches, and what beside the public web may be reached. */
export interface SafeFetchOptions {
  /** The name in messages. */
  readonly service: string
  /** Sent with every request: says who asks, and whom to write to. */
  readonly userAgent: string
  /**
   * FOR TESTS AND DEMONSTRATIONS ONLY: `address:port` of this machine or network that may be fetched all the same, such as `127.0.0.1:8080`. Each opens that one port of that one
   * address, to every page and every redirect. Default: none.
   */
  readonly allowLocal?: readonly string[] | undefined
  /** How names are looked up; what it answers is checked like the system's. Default: as the system does. */
  readonly resolve?: Resolve | undefined
}

interface Dialling {
  readonly rules: AddressRules
  readonly resolve: Resolve
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Makes the client. Nothing is connected before the first call.
 * @throws ConfigurationError `ALLOWANCE_INVALID`
 */
export function createSafeFetch({ service, userAgent, allowLocal, resolve = resolveBySystem }: SafeFetchOptions): SafeFetch {
  const rules = createAddressRules(allowLocal)
  return Object.freeze({
    async get(url: URL, request: FetchRequest): Promise<FetchedAnswer> {
      const { signal, timeoutMs, accept } = request
      signal.throwIfAborted()
      const late = AbortSignal.timeout(timeoutMs)
      const headers = { accept, 'user-agent': userAgent, 'accept-encoding': ACCEPTED_ENCODINGS, 'accept-language': 'nb, nn, no, en;q=0.8' }
      const call = { service, method: 'GET', url, timeoutMs }
      try {
        return await follow(url, { ...request, signal: AbortSignal.any([signal, late]) }, { rules, resolve, headers })
      } catch (error) {
        signal.throwIfAborted()
        if (isJobsError(error) || error instanceof NotAsked) throw error
        throw late.aborted ? timedOutCall(call) : failedCall(call, error)
      }
    },
  })
}

async function follow(from: URL, request: FetchRequest, dialling: Dialling): Promise<FetchedAnswer> {
  let url = withoutFragment(from)
  for (let redirect = 0; redirect <= mostRedirects; redirect++) {
    const answer = await getOnce(url, request, dialling)
    if (answer instanceof URL) url = withoutFragment(answer)
    else return answer
  }
  throw tooManyRedirects(from, mostRedirects)
}

/** One answer, or where it sends to. */
async function getOnce(url: URL, request: FetchRequest, dialling: Dialling): Promise<FetchedAnswer | URL> {
  checkUrl(url, dialling.rules)
  if (request.mayAsk && !(await request.mayAsk(url))) throw new NotAsked(url)
  const agent = createCheckedAgent(url, dialling)
  try {
    const response = await send(url, { agent, headers: dialling.headers, signal: request.signal })
    const status = response.statusCode ?? 0
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]))
    if (redirects.includes(status) && headers.location) return locationOf(headers.location, url)
    const head = { url, status, headers }
    const limit = request.limit(head)
    // Nothing is waited for that is not wanted, and how it is packed is nobody's business.
    if (limit <= 0) return { ...head, body: Buffer.alloc(0), whole: false }
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
    if (!canUnpack(encoding)) throw new Error(`the body is packed as ${JSON.stringify(encoding.slice(0, 50))}, which was not asked for`)
    return { ...head, ...(await unpack(response, encoding, limit)) }
  } finally {
    agent.destroy()
  }
}

function send(url: URL, options: { agent: ReturnType<typeof createCheckedAgent>; headers: Dialling['headers']; signal: AbortSignal }) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve)
    request.on('error', reject)
    request.end()
  })
}

function locationOf(location: string, from: URL): URL {
  const url = URL.parse(asMeant(location), from.href)
  if (url === null) throw addressRefused(from, 'it sends on to something that is no address')
  return url
}

/** Node reads headers as latin1; sites that write letters into an address mean UTF-8, as browsers do. */
function asMeant(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

function withoutFragment(url: URL): URL {
  const plain = new URL(url)
  plain.hash = ''
  return plain
}
