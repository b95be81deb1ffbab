import { expect, test } from 'vitest'
import { type AccessLine, parseAccessLine } from './access-line.ts'
import { cutAddress } from './address.ts'

const whole = {
  level: 'info',
  ts: 1796062127.4731796,
  logger: 'http.log.access.log0',
  msg: 'handled request',
  request: {
    remote_ip: '203.0.113.1',
    client_ip: '203.0.113.9',
    method: 'GET',
    uri: '/media/ep001.mp3?x=1',
    headers: { 'User-Agent': ['Overcast/3.0'], Range: ['bytes=0-1'] },
  },
  size: 2,
  status: 206,
  resp_headers: { 'Content-Length': ['2'], 'Content-Range': ['bytes 0-1/5760566'], 'Content-Type': ['audio/mpeg'] },
}
const parse = (change: object) => parseAccessLine(JSON.stringify({ ...whole, ...change }))
const parseRequest = (change: object) => parse({ request: { ...whole.request, ...change } }) as AccessLine

test('a line of current Caddy', () => {
  expect(parse({})).toEqual({
    seconds: 1796062127.4731796,
    method: 'GET',
    status: 206,
    size: 2,
    uri: '/media/ep001.mp3?x=1',
    address: '203.0.113.9',
    userAgent: 'Overcast/3.0',
    range: 'bytes=0-1',
    purpose: undefined,
    contentRange: 'bytes 0-1/5760566',
    contentLength: '2',
    contentType: 'audio/mpeg',
    contentEncoding: undefined,
  })
})

test('the address is client_ip, else remote_ip, else remote_addr', () => {
  expect(parseRequest({ client_ip: undefined }).address).toBe('203.0.113.1')
  expect(parseRequest({ client_ip: '' }).address).toBe('203.0.113.1')
  expect(parseRequest({ client_ip: undefined, remote_ip: undefined, remote_addr: '203.0.113.5:4711' }).address).toBe('203.0.113.5:4711')
  expect(parseRequest({ client_ip: 7, remote_ip: undefined }).address).toBeUndefined()
})

// SERVICES' table of shapes: the same request as Caddy wrote it over the years.
const headers = { 'User-Agent': ['Overcast/3.0'], Range: ['bytes=0-1'] }
const tls = { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'localhost' }
test.each([
  [
    '2.4',
    { remote_addr: '203.0.113.9:4711', headers: { ...headers, Cookie: ['a=b'] } },
    { common_log: '203.0.113.9 - - [30/Nov/2026:18:08:47 +0000] "GET /" 206 2' },
  ],
  ['2.6', { remote_ip: '203.0.113.9', remote_port: '4711', headers: { ...headers, Authorization: [] } }, {}],
  ['2.7', { remote_ip: '203.0.113.1', client_ip: '203.0.113.9', headers: { ...headers, Authorization: [] } }, { bytes_read: 0 }],
  [
    '2.8',
    { remote_ip: '203.0.113.1', client_ip: '203.0.113.9', headers: { ...headers, Authorization: ['REDACTED'] } },
    { bytes_read: 0, level: 'error' },
  ],
  [
    '2.11',
    { remote_ip: '203.0.113.1', client_ip: '203.0.113.9', transfer_encoding: ['chunked'], tls: { ...tls, ech: false }, headers },
    { bytes_read: 0, extra: 1 },
  ],
])('Caddy %s', (_version, request, change) => {
  const { method, uri } = whole.request
  expect(parse({ ...change, request: { ...request, method, uri } })).toMatchObject({
    seconds: 1796062127.4731796,
    method: 'GET',
    status: 206,
    size: 2,
    uri: '/media/ep001.mp3?x=1',
    address: expect.stringMatching(/^203\.0\.113\.9(:4711)?$/),
    userAgent: 'Overcast/3.0',
    range: 'bytes=0-1',
    contentRange: 'bytes 0-1/5760566',
  })
})

test.each([
  ['the address is cut by ip_mask', { client_ip: '203.0.113.0' }, '203.0.113.0'],
  ['the address is hashed', { client_ip: '5f2b1c9e' }, '5f2b1c9e'],
  ['the address is replaced', { client_ip: 'REDACTED' }, undefined],
])('a filter of the log: %s', (_name, request, address) => {
  expect(cutAddress(parseRequest(request).address ?? '')).toBe(address)
})

test('headers may be missing, empty or of another type', () => {
  expect(parseRequest({ headers: undefined }).userAgent).toBeUndefined()
  expect(parseRequest({ headers: { 'User-Agent': [] } }).userAgent).toBeUndefined()
  expect(parseRequest({ headers: { 'User-Agent': [3] } }).userAgent).toBeUndefined()
  expect(parseRequest({ headers: { 'User-Agent': 'plain' } }).userAgent).toBe('plain')
  expect(parse({ resp_headers: [] })).toMatchObject({ contentLength: undefined })
})

test.each([{ ts: 'not a time' }, { ts: null }, { ts: undefined }])('malformed: $ts is no time', (change) => {
  expect(parse(change)).toBe('malformed')
})

test('a browser that only fetches ahead says so, in one of four ways', () => {
  for (const name of ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz']) {
    expect(parseRequest({ headers: { [name]: ['prefetch;prerender'] } }).purpose).toBe('prefetch;prerender')
  }
})

test.each([
  { status: '200' },
  { size: -1 },
  { size: 1.5 },
  { size: undefined },
  { request: undefined },
  { request: [] },
  { request: { ...whole.request, uri: 7 } },
  { request: { ...whole.request, method: null } },
])('malformed: wrong types %j', (change) => {
  expect(parse(change)).toBe('malformed')
})

test.each(['null', '[1,2,3]', '7', '"text"', '{"a":', 'not json', '\0\0\0\0', '2026/06/01 10:00:01.000\tINFO\thandled request\t{}'])(
  'malformed: %j',
  (text) => {
    expect(parseAccessLine(text)).toBe('malformed')
  },
)

test('blank lines and other loggers are told apart', () => {
  expect(parseAccessLine('')).toBe('blank')
  expect(parseAccessLine(' \r')).toBe('blank')
  expect(parseAccessLine('{"level":"warn","ts":1780308002.25,"logger":"tls","msg":"stapling OCSP"}')).toBe('other_logger')
  expect(parse({ logger: 'http.log.error.log0' })).toBe('other_logger')
})
