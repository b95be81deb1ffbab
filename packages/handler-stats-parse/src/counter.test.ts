import { expect, test } from 'vitest'
import { createCounter } from './counter.ts'
import { createDayClock } from './local-day.ts'
import { createClassifier } from './user-agents/classify.ts'

const TOTAL = 1_000_000
const OVERCAST = 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)'

interface Request {
  at?: string
  address?: string | null
  agent?: string | null
  method?: string
  status?: number
  size?: number
  uri?: string
  range?: string
  purpose?: string
  contentRange?: string
  contentLength?: string
  contentType?: string
}

function line(request: Request = {}): string {
  const { at = '2026-06-01T10:00:00Z', address = '203.0.113.10', agent = OVERCAST, method = 'GET', status = 200, size = TOTAL } = request
  return JSON.stringify({
    ts: Date.parse(at) / 1000,
    logger: 'http.log.access.log0',
    request: {
      ...(address === null ? {} : { client_ip: address }),
      method,
      uri: request.uri ?? '/ep/041.mp3',
      headers: {
        ...(agent === null ? {} : { 'User-Agent': [agent] }),
        ...(request.range ? { Range: [request.range] } : {}),
        ...(request.purpose ? { 'Sec-Purpose': [request.purpose] } : {}),
      },
    },
    status,
    size,
    resp_headers: {
      ...(request.contentType ? { 'Content-Type': [request.contentType] } : {}),
      ...(request.contentRange ? { 'Content-Range': [request.contentRange] } : {}),
      ...(request.contentLength ? { 'Content-Length': [request.contentLength] } : {}),
    },
  })
}

function countAll(lines: string[], { now = '2026-06-01T12:00:00Z', episodes = {} } = {}) {
  const counter = createCounter({
    mediaPrefixes: ['/ep/'],
    episodes,
    clock: createDayClock('Europe/Oslo'),
    now: new Date(now),
    classify: createClassifier(),
  })
  for (const text of lines) counter.count(text)
  return counter
}

const listenersOf = (counter: ReturnType<typeof countAll>) =>
  counter.listeners
    .groups()
    .flatMap(({ day, episode, names, at }) => [...names()].map((listener, index) => ({ day, episode, listener, ...at(index) })))

test('one whole fetch is one listener', () => {
  const counter = countAll([line()])
  expect(counter).toMatchObject({ lines: 1, counted: 1, skipped: {}, listeners: { size: 1 } })
  expect(listenersOf(counter)).toEqual([
    {
      day: '2026-06-01',
      episode: '/ep/041.mp3',
      listener: `203.0.113.10|${OVERCAST}`,
      app: 'Overcast',
      ranges: [0, TOTAL],
      totalBytes: undefined,
    },
  ])
})

test('play, pause, play is one listener; ranges are a union, not a sum', () => {
  const part = line({ status: 206, size: 200, range: 'bytes=0-199', contentRange: `bytes 0-199/${TOTAL}` })
  const next = line({ status: 206, size: 200, range: 'bytes=200-399', contentRange: `bytes 200-399/${TOTAL}` })
  const counter = countAll([part, part, next, part])
  expect(listenersOf(counter)).toMatchObject([{ ranges: [0, 400], totalBytes: TOTAL }])
})

test('six user agents behind one address are six listeners', () => {
  const counter = countAll(
    ['Overcast/3.0', 'AntennaPod/3.4.0', 'Pocket Casts/7.64', 'Castro 2', 'Podimo/2', 'x'].map((agent) => line({ agent })),
  )
  expect(counter.listeners.size).toBe(6)
})

test('IPv6 listeners of one /64 are one, an IPv4-mapped address is its IPv4 address', () => {
  const same = countAll(['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map((address) => line({ address })))
  expect(same.listeners.size).toBe(1)
  const mapped = countAll(['203.0.113.10', '::ffff:203.0.113.10'].map((address) => line({ address })))
  expect(mapped.listeners.size).toBe(1)
})

test('midnight is that of the collection: the same listener is another one the next day', () => {
  const counter = countAll([line({ at: '2026-06-01T21:59:59Z' }), line({ at: '2026-06-01T22:00:01Z' })])
  expect(counter.listeners.groups().map(({ day }) => day)).toEqual(['2026-06-01', '2026-06-02'])
})

test('calendar days of the guideline: Mon 22:00, Tue 03:00, Tue 22:15, Wed 23:15', () => {
  // By calendar day Monday, Tuesday and Wednesday count once each; Tuesday's two fetches are one listener.
  const times = ['2026-06-01T22:00:00+02:00', '2026-06-02T03:00:00+02:00', '2026-06-02T22:15:00+02:00', '2026-06-03T23:15:00+02:00']
  const counter = countAll(
    times.map((at) => line({ at })),
    { now: '2026-06-03T21:30:00Z' },
  )
  expect(listenersOf(counter).map(({ day }) => day)).toEqual(['2026-06-01', '2026-06-02', '2026-06-03'])
})

test('a missing or unknown user agent counts as unknown', () => {
  expect(listenersOf(countAll([line({ agent: null }), line({ agent: 'Something/1' })])).map(({ app }) => app)).toEqual([
    'unknown',
    'unknown',
  ])
})

test('48 hours after a day has ended its lines are too late, not a moment before', () => {
  const ends = Date.parse('2026-06-01T22:00:00Z')
  const at = (now: number) => countAll([line()], { now: new Date(now).toISOString() })
  expect(at(ends + 48 * 3_600_000 - 1).counted).toBe(1)
  expect(at(ends + 48 * 3_600_000).skipped).toEqual({ too_late: 1 })
})

test.each<[string, Request]>([
  ['method', { method: 'HEAD', size: 0 }],
  ['method', { method: 'POST' }],
  ['method', { method: 'OPTIONS' }],
  ['status', { status: 304, size: 0 }],
  ['status', { status: 404, size: 150 }],
  ['status', { status: 0 }],
  ['status', { status: 416, size: 33 }],
  ['not_media', { uri: '/feed.xml' }],
  ['not_media', { uri: '/ep/' }],
  ['not_media', { uri: '/ep/cover.jpg', contentType: 'image/jpeg' }],
  ['not_media', { uri: '/ep/feed', contentType: 'application/rss+xml; charset=utf-8' }],
  ['not_media', { uri: '/ep/page', contentType: 'text/html; charset=utf-8' }],
  ['preload', { purpose: 'prefetch' }],
  ['probe', { status: 206, size: 2, range: 'bytes=0-1' }],
  ['empty', { size: 0 }],
  ['unplaced', { status: 206, size: 500 }],
  ['bot', { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['watch', { agent: 'atc/1.0 watchOS/10.1 model/Watch6,2' }],
  ['no_address', { address: null }],
  ['no_address', { address: 'REDACTED' }],
])('%s: %j counts nothing', (reason, request) => {
  const counter = countAll([line(request)])
  expect(counter).toMatchObject({ lines: 1, counted: 0, listeners: { size: 0 } })
  expect(counter.skipped).toEqual({ [reason]: 1 })
})

test('the listeners can be gone through again: what is written may have to be written twice', () => {
  const [group] = countAll([line(), line({ address: '203.0.113.11' })]).listeners.groups()
  expect(group?.size).toBe(2)
  expect([...(group?.names() ?? [])]).toHaveLength(2)
  expect([...(group?.names() ?? [])]).toHaveLength(2)
})

test('an endless user agent is cut: who differs only behind 1,024 characters is the same', () => {
  const agents = ['x', 'y'].map((end) => `${'a'.repeat(1024)}${end}`)
  expect(countAll(agents.map((agent) => line({ agent }))).listeners.size).toBe(1)
  expect(countAll(agents.map((agent) => line({ agent: agent.slice(1) }))).listeners.size).toBe(2)
})

test('an episode the collection names counts whatever its content type', () => {
  const odd = line({ uri: '/ep/a.txt', contentType: 'text/plain' })
  expect(countAll([odd], { episodes: { '/ep/a.txt': { durationS: 60 } } }).counted).toBe(1)
})

test('the newest declared size of a file wins; without one the longest body', () => {
  const declared = (bytes: number) => line({ size: bytes, contentLength: String(bytes) })
  const sizeAfter = (lines: string[]) => countAll(lines).files.get('/ep/041.mp3')
  expect(sizeAfter([line({ size: 300 }), line({ size: 900 }), line({ size: 500 })])).toEqual({ totalBytes: 900, declared: false })
  expect(sizeAfter([line({ size: 900 }), declared(800), line({ size: 900 })])).toEqual({ totalBytes: 800, declared: true })
  expect(sizeAfter([declared(800), declared(700)])).toEqual({ totalBytes: 700, declared: true })
})

test('lines are what was counted plus what was skipped, and the latest time is kept', () => {
  const counter = countAll([line({ at: '2026-06-01T11:00:00Z' }), '', 'nonsense', '{"logger":"tls"}', line(), line({ method: 'PUT' })])
  counter.skip('too_long')
  const skipped = Object.values(counter.skipped).reduce((sum, count) => sum + count, 0)
  expect(counter.lines).toBe(7)
  expect(counter.counted + skipped).toBe(7)
  expect(counter.lastSeconds).toBe(Date.parse('2026-06-01T11:00:00Z') / 1000)
})
