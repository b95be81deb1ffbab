import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSafeFetch, type SafeFetchOptions } from '../../src/safe-fetch/create-safe-fetch.ts'
import { type FetchRequest, NotAsked } from '../../src/safe-fetch/safe-fetch.ts'
import { recordDials } from '../../src/testing/record-dials.ts'

const text = 'Blåbær og tyttebær. '.repeat(500)
let server: Server
let port: number
/** What is inside: nothing may come here. */
let inner: Server
let innerPort: number
const met: string[] = []
let received: IncomingMessage[] = []

const answers: Record<string, RequestListener> = {
  '/page': (_, response) => response.setHeader('content-type', 'text/html').end(text),
  '/gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text)),
  '/br': (_, response) => response.setHeader('content-encoding', 'br').end(brotliCompressSync(text)),
  '/deflate': (_, response) => response.setHeader('content-encoding', 'Deflate').end(deflateSync(text)),
  '/unknown': (_, response) => response.setHeader('content-encoding', 'gzip, br').end(text),
  '/broken': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text).subarray(0, 40)),
  '/bomb': (_, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
  '/endless': (_, response) => void response.write(text, () => answers['/endless']?.(_, response)),
  '/hang': () => {},
  '/drip': (_, response) => void response.write('x'),
  '/404': (_, response) => response.writeHead(404).end('Ikke her'),
  '/gone': (_, response) => void response.writeHead(404, { 'content-encoding': 'compress' }).flushHeaders(),
  '/letters': (_, response) => response.writeHead(302, { location: Buffer.from('/blåbær').toString('latin1') }).end(),
  '/bl%C3%A5b%C3%A6r': (_, response) => response.end(text),
  '/moved': to(301, () => '/page#x'),
  '/elsewhere': to(302, () => `http://clip.example.test:${port}/page`),
  '/loop': to(302, () => '/loop'),
  '/a': to(302, () => 'http://169.254.169.254/latest/meta-data/'),
  '/b': to(302, () => '/b2'),
  '/b2': to(302, () => `http://127.0.0.1:${innerPort}/`),
  '/c': to(302, () => 'file:///etc/hostname'),
  '/d': to(307, () => `http://10.0.0.7:${port}/`),
  '/e': to(303, () => 'http://'),
  '/f': to(308, () => `http://user:pass@clip.example.test:${port}/page`),
  '/again': to(302, () => `http://rebinding.example.test:${port}/page`),
}
for (const hops of [5, 6]) {
  answers[`/hops-${hops}`] = to(302, () => `/hops-${hops}/1`)
  for (let hop = 1; hop < hops; hop++)
    answers[`/hops-${hops}/${hop}`] = to(302, () => (hop === hops - 1 ? '/page' : `/hops-${hops}/${hop + 1}`))
}
const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024))

function to(status: number, location: () => string): RequestListener {
  return (_, response) => response.writeHead(status, { location: location() }).end('Flyttet')
}

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request)
    answers[request.url ?? '']?.(request, response)
  }).listen(0, '127.0.0.1')
  inner = createServer().listen(0, '127.0.0.1')
  inner.on('connection', () => met.push('inner'))
  await Promise.all([once(server, 'listening'), once(inner, 'listening')])
  port = (server.address() as AddressInfo).port
  innerPort = (inner.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  inner.close()
})

const addresses: Record<string, string> = {
  'clip.example.test': '127.0.0.1',
  'internal.example.test': '10.0.0.7',
  'localtest.example.test': '127.0.0.1',
}

function fetcher(options: Partial<SafeFetchOptions> = {}) {
  received = []
  const resolve = async (name: string) => [{ address: addresses[name] ?? '192.0.2.1', family: 4 }]
  return createSafeFetch({ service: 'web', userAgent: 'tester (post@example.org)', allowLocal: [`127.0.0.1:${port}`], resolve, ...options })
}

const get = (path: string, request: Partial<FetchRequest> = {}, options: Partial<SafeFetchOptions> = {}) =>
  fetcher(options).get(new URL(path, `http://clip.example.test:${port}`), {
    ...{ accept: 'text/html', timeoutMs: 20_000, limit: () => 1_000_000, signal: new AbortController().signal },
    ...request,
  })

describe('a page', () => {
  test('is fetched by somebody who says who it is, without cookies', async () => {
    expect(await get('/page')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from(text),
      whole: true,
    })
    expect(received[0]?.headers).toEqual({
      ...{ accept: 'text/html', 'user-agent': 'tester (post@example.org)', host: `clip.example.test:${port}` },
      ...{ 'accept-encoding': 'gzip, br', 'accept-language': 'nb, nn, no, en;q=0.8', connection: 'close' },
    })
  })

  test.each(['/gzip', '/br', '/deflate'])('is unpacked: %s', async (path) => expect((await get(path)).body.toString()).toBe(text))

  test.each(['/moved', '/elsewhere', '/hops-5'])('that has moved is followed: %s', async (path) => {
    const { url, status } = await get(path)
    expect([url.href, status]).toEqual([`http://clip.example.test:${port}/page`, 200])
  })

  test('of another status is an answer too', async () =>
    expect(await get('/404')).toMatchObject({ status: 404, body: Buffer.from('Ikke her') }))

  test('that is longer than its limit is cut there, and one that unpacks to more takes no more memory', async () => {
    expect(await get('/page', { limit: () => 100 })).toMatchObject({ whole: false, body: Buffer.from(text).subarray(0, 100) })
    expect(await get('/endless', { limit: () => 100_000 })).toMatchObject({ whole: false, body: { length: 100_000 } })
    const before = process.memoryUsage().arrayBuffers
    expect(await get('/bomb', { limit: () => 1_000_000 })).toMatchObject({ whole: false, body: { length: 1_000_000 } })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024)
  })

  test('whose body nobody wants is answered before it comes, however it is packed', async () => {
    expect(await get('/gone', { limit: () => 0 })).toMatchObject({ status: 404, body: Buffer.alloc(0) })
  })

  test('that has moved to an address with letters in it, as sites write them, is followed', async () =>
    expect((await get('/letters')).url.pathname).toBe('/bl%C3%A5b%C3%A6r'))

  test('that may not be asked is not, where a redirect leads to it either', async () => {
    const mayAsk = async (url: URL) => url.pathname !== '/page'
    await expect(get('/moved', { mayAsk })).rejects.toBeInstanceOf(NotAsked)
    expect(received.map(({ url }) => url)).toEqual(['/moved'])
  })

  test('that its limit refuses is not read', async () => {
    const limit = () => {
      throw new Error('no such thing')
    }
    await expect(get('/endless', { limit })).rejects.toThrow('no such thing')
  })
})

describe('what fails', () => {
  test.each([
    ['/unknown', 'is packed as "gzip, br", which was not asked for'],
    ['/broken', 'unexpected end of file'],
  ])('%s is tried again: %s', async (path, words) => {
    await expect(get(path)).rejects.toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      retryable: true,
      message: expect.stringContaining(words),
    })
  })

  test.each(['/hang', '/drip'])('%s takes no longer than it may', async (path) => {
    await expect(get(path, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true })
  })

  test('a name that cannot be looked up is tried again', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND clip.example.test'), { code: 'ENOTFOUND' }))
    await expect(get('/page', {}, { resolve })).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE', networkCode: 'ENOTFOUND' })
  })

  test('a name that takes its time is not waited for longer than that', async () => {
    await expect(get('/page', { timeoutMs: 300 }, { resolve: () => new Promise(() => {}) })).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
    })
  })

  test.each(['/hang', '/drip'])('%s ends with the signal, and its reason', async (path) => {
    const stop = new AbortController()
    const reason = new Error('stopped')
    const answer = get(path, { signal: stop.signal })
    await once(server, 'request')
    stop.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })
})

describe('who is led inside', () => {
  test.each(['/a', '/b', '/c', '/d', '/e', '/f'])('by a redirect dials nothing there: %s', async (path) => {
    using dials = recordDials()
    await expect(get(path)).rejects.toMatchObject({ kind: 'permanent', code: 'ADDRESS_REFUSED' })
    expect(new Set(dials.addresses)).toEqual(new Set([`127.0.0.1 ${port}`]))
    expect(met).toEqual([])
  })

  test.each(['internal.example.test', 'localtest.example.test'])(
    'by a name dials nothing, and is not told whether something is there: %s',
    async (name) => {
      using dials = recordDials()
      const request = { accept: '', timeoutMs: 20_000, limit: () => 1, signal: new AbortController().signal }
      const message = await fetcher()
        .get(new URL(`http://${name}/`), request)
        .catch((error) => error.message)
      expect(message).toBe(
        `http://${name}/ is not fetched: it leads to an address that is not public. Expected a page of the public internet, http or https, on port 80 or 443, without user and password.`,
      )
      expect(dials.addresses).toEqual([])
    },
  )

  test('by a name that leads elsewhere the second time is refused then', async () => {
    let asked = 0
    const resolve = async (name: string) => [
      { address: name === 'rebinding.example.test' && asked++ > 0 ? '127.0.0.2' : '127.0.0.1', family: 4 },
    ]
    const client = fetcher({ resolve })
    const request = { accept: '', timeoutMs: 20_000, limit: () => 100, signal: new AbortController().signal }
    using dials = recordDials()
    await expect(client.get(new URL(`http://rebinding.example.test:${port}/again`), request)).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
    })
    expect([asked, dials.addresses]).toEqual([2, [`127.0.0.1 ${port}`]])
  })

  test.each(['/loop', '/hops-6'])('in circles is let go: %s', async (path) => {
    await expect(get(path)).rejects.toMatchObject({ kind: 'permanent', code: 'TOO_MANY_REDIRECTS' })
    expect(received).toHaveLength(6)
  })
})

describe('what is allowed beside the public web', () => {
  test('is nothing where nothing is named', async () => {
    await expect(get('/page', {}, { allowLocal: undefined })).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    await expect(get(`http://127.0.0.1:${innerPort}/`)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(met).toEqual([])
  })

  test.each([
    '127.0.0.1',
    'localhost:80',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1/8:80',
    '0.0.0.0/0',
    '*:80',
    'http://127.0.0.1:80',
    '::1:80',
    '127.1:80',
    '',
  ])('is no %s', (allowed) =>
    expect(() => fetcher({ allowLocal: [allowed] })).toThrow(expect.objectContaining({ code: 'ALLOWANCE_INVALID' })),
  )

  test('is an address of IPv6 too, and the port 80', () =>
    expect(() => fetcher({ allowLocal: ['[::1]:8080', '127.0.0.1:80'] })).not.toThrow())
})
