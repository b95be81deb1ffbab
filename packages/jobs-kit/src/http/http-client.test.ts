import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpClient } from './create-http-client.ts'
import type { HttpRequest } from './http-client.ts'
import type { UpstreamError } from './upstream-error.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const client = createHttpClient({ service: 'testing' })

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/thing`)
}

function ask(url: URL, more: Partial<HttpRequest> = {}) {
  return client.request({ method: 'GET', url, timeoutMs: 10_000, signal: new AbortController().signal, ...more })
}

async function failure(promise: Promise<unknown>): Promise<UpstreamError> {
  return (await promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`)
    },
    (error) => error,
  )) as UpstreamError
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const reply =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, headers).end(body)
  }

describe('what is sent', () => {
  test('JSON, and JSON comes back', async () => {
    const url = await serve(async (request, response) => {
      const body = await readAll(request)
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          method: request.method,
          type: request.headers['content-type'],
          key: request.headers['x-key'],
          body: body.toString(),
        }),
      )
    })
    const response = await ask(url, { method: 'POST', json: { navn: 'blåbær' }, headers: { 'x-key': 'k' } })
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(response.json()).toEqual({ method: 'POST', type: 'application/json', key: 'k', body: '{"navn":"blåbær"}' })
  })

  test('a form with its length, its file streamed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'http-'))
    closing.push(() => rm(folder, { recursive: true }))
    const bytes = 30_000_000
    await writeFile(join(folder, 'a.flac'), Buffer.alloc(bytes, 7))
    const url = await serve(async (request, response) => {
      const length = (await readAll(request)).length
      response.end(JSON.stringify({ length, told: Number(request.headers['content-length']) }))
    })
    const form = new FormData()
    form.set('file', await openAsBlob(join(folder, 'a.flac')), 'lydfil-æ.flac')
    const { length, told } = (await ask(url, { method: 'POST', form })).json() as { length: number; told: number }
    expect(length).toBeGreaterThan(bytes)
    expect(told).toBe(length)
  })

  test('once, whatever comes back', async () => {
    let calls = 0
    const url = await serve((_request, response) => {
      calls++
      response.writeHead(503, { 'retry-after': '0' }).end()
    })
    await failure(ask(url))
    expect(calls).toBe(1)
  })
})

describe('an answer that is no success', () => {
  test('is an error with status, words, and no secrets', async () => {
    const url = await serve(reply(401, '{"detail":"bad key sk-test-AAAABBBBCCCCDDDD1111"}', { 'x-request-id': 'r-17' }))
    url.searchParams.set('api_key', 'hemmelig')
    const error = await failure(ask(url, { headers: { authorization: 'Bearer hemmelig-nøkkel'.replace('ø', 'o') } }))
    expect(error).toMatchObject({
      name: 'UpstreamError',
      code: 'UPSTREAM_UNAUTHORIZED',
      kind: 'permanent',
      service: 'testing',
      method: 'GET',
      status: 401,
      retryable: false,
      bodyExcerpt: 'bad key sk-***',
    })
    expect(error.message).toMatch(
      /^testing: GET http:\/\/127\.0\.0\.1:\d+\/v1\/thing\?api_key=\*\*\* answered 401: .+ It said: bad key sk-\*\*\* Request r-17\.$/,
    )
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain('hemmelig')
  })

  test.each([
    [429, { 'retry-after': '90' }, '', 'UPSTREAM_RATE_LIMITED', 90_000],
    [503, { 'retry-after': '5' }, '', 'UPSTREAM_RATE_LIMITED', 5_000],
    [503, {}, '', 'UPSTREAM_UNAVAILABLE', undefined],
    [402, { 'retry-after': '7' }, '{"error":{"metadata":{"limit_source":"openrouter_in_flight_budget"}}}', 'UPSTREAM_RATE_LIMITED', 7_000],
  ])('%i with %j asks to come back', async (status, headers, body, code, retryAfterMs) => {
    const error = await failure(ask(await serve(reply(status, body, headers as Record<string, string>))))
    expect(error).toMatchObject({ code, kind: 'transient', status, retryAfterMs })
  })

  test('that knows whether another try would help is believed, but for a wrong key', async () => {
    const availability = (retryable: boolean) => JSON.stringify({ error: { message: 'x', availability: { retryable, retry_after: 3 } } })
    const answered = async (status: number, retryable: boolean) => failure(ask(await serve(reply(status, availability(retryable)))))
    expect(await answered(503, false)).toMatchObject({ kind: 'permanent', retryable: false, status: 503 })
    expect(await answered(404, true)).toMatchObject({ kind: 'transient', retryAfterMs: 3_000, status: 404 })
    expect(await answered(401, true)).toMatchObject({ kind: 'permanent', status: 401 })
  })

  test('402 without a budget under way is final, a redirect is not followed', async () => {
    const credits = reply(402, '{"error":{"metadata":{"limit_source":"openrouter_credits"}}}')
    expect(await failure(ask(await serve(credits)))).toMatchObject({ code: 'UPSTREAM_REJECTED', kind: 'permanent' })
    const elsewhere = await failure(ask(await serve(reply(302, '', { location: 'http://127.0.0.1:1/login' }))))
    expect(elsewhere).toMatchObject({ code: 'UPSTREAM_REDIRECTED', status: 302, kind: 'permanent' })
  })

  test('is read only in part when it is endless', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(500)
      const timer = setInterval(() => response.write('x'.repeat(50_000)), 1)
      response.once('close', () => clearInterval(timer))
    })
    const error = await failure(ask(url))
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: 500 })
    expect(error.bodyExcerpt?.length).toBeLessThanOrEqual(2_001)
  })
})

describe('no answer, or half of one', () => {
  test('nobody listens', async () => {
    const url = await serve(reply(200, ''))
    await closing.pop()?.()
    expect(await failure(ask(url))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', kind: 'transient', status: undefined })
  })

  test('the name is unknown', async () => {
    expect(await failure(ask(new URL('http://whisper.invalid/')))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true })
  })

  test('the connection breaks before, and in the middle of, the answer', async () => {
    const before = await serve((request) => request.socket.destroy())
    expect(await failure(ask(before))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true })
    const middle = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => request.socket.destroy())
    })
    expect(await failure(ask(middle))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true })
  })

  test.each([
    ['says nothing', () => {}],
    [
      'drips byte for byte',
      (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('.'), 20)
        response.once('close', () => clearInterval(timer))
      },
    ],
  ])('the time is up while the server %s', async (_what, listener) => {
    const error = await failure(ask(await serve(listener), { timeoutMs: 1_000 }))
    expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', kind: 'transient' })
    expect(error.message).toContain('1 s in all')
  })

  test('an abort throws its own reason, before and during the call', async () => {
    const reason = new Error('cancelled on request')
    const url = await serve(() => abort.abort(reason))
    const abort = new AbortController()
    await expect(ask(url, { signal: abort.signal })).rejects.toBe(reason)
    await expect(ask(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('an upload that is refused at once is told as refused; where the server hangs up on it, as broken off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'http-'))
    closing.push(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'a.flac'), Buffer.alloc(20_000_000))
    const upload = async (listener: RequestListener) => {
      const form = new FormData()
      form.set('file', await openAsBlob(join(folder, 'a.flac')), 'a.flac')
      return await failure(ask(await serve(listener), { method: 'POST', form }))
    }
    const reads = await upload((request, response) => {
      response.writeHead(413).end('{"detail":"too large"}')
      request.resume()
    })
    expect(reads).toMatchObject({ code: 'UPSTREAM_TOO_LARGE', status: 413, kind: 'permanent' })
    // What is still under way may throw away the answer: TCP has it so.
    const hangsUp = await upload((_request, response) => response.writeHead(413, { connection: 'close' }).end('{"detail":"too large"}'))
    expect(['UPSTREAM_TOO_LARGE', 'UPSTREAM_UNREACHABLE']).toContain(hangsUp.code)
  })

  test('a header that cannot be sent is a fault of the configuration, and is not told', async () => {
    const error = await failure(ask(await serve(reply(200, '')), { headers: { authorization: 'Bearer hemmelig\nto' } }))
    expect(error).toMatchObject({ code: 'UPSTREAM_CALL_INVALID', kind: 'permanent' })
    expect(error.message).not.toContain('hemmelig')
  })
})

describe('an answer that cannot be used', () => {
  test('more than was expected is not read to its end, packed or not', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const url = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    expect(await failure(ask(url, { maxBytes: 100_000 }))).toMatchObject({ code: 'UPSTREAM_ANSWER_TOO_LARGE', kind: 'permanent' })
    const exact = await serve(reply(200, 'x'.repeat(100_000)))
    expect((await ask(exact, { maxBytes: 100_000 })).text).toHaveLength(100_000)
  })

  test('a page instead of JSON', async () => {
    const response = await ask(await serve(reply(200, '<html><body>Login</body></html>', { 'content-type': 'text/html' })))
    expect(() => response.json()).toThrow(
      expect.objectContaining({
        code: 'UPSTREAM_BODY_INVALID',
        kind: 'transient',
        message: expect.stringContaining('got text/html: Login'),
      }),
    )
  })
})
