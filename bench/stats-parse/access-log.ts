import type { CollectionSettingsInput } from '@sidelinja/jobs-kit'

const EPISODES = 200
const EPISODE_BYTES = 40_000_000
const RANGE_BYTES = 500_000
const ADDRESSES = 60_000
const SESSIONS = 500
const LINES_A_CHUNK = 2000
const LINES_A_SECOND = 60

const apps = [
  (version: number) => `AppleCoreMedia/1.0.0.21${version % 26}93 (iPhone; U; CPU OS 17_${version % 7}_1 like Mac OS X; nb_no)`,
  (version: number) => `Podcasts/16${version % 100}.1 CFNetwork/1498.700.2 Darwin/23.${version % 7}.0`,
  (version: number) => `Spotify/8.9.${version % 60} iOS/17.${version % 7} (iPhone14,5)`,
  () => 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)',
  (version: number) => `AntennaPod/3.${version % 5}.${version % 3}`,
  (version: number) => `PocketCasts/7.${version % 80}`,
  (version: number) => `NRK Radio/7.${version % 9}.0 (Android 14)`,
  (version: number) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + (version % 30)}.0.0.0 Safari/537.36`,
  () => 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  (version: number) => `Kjøkkenradio/1.${version}`,
]

/** The settings under which the log is counted. */
export function collectionSettings(): CollectionSettingsInput {
  const episodes = Object.fromEntries(Array.from({ length: EPISODES }, (_, n) => [episode(n), { durationS: 2400, headerBytes: 50_000 }]))
  return { statistics: { mediaPrefixes: ['/media/'], episodes } }
}

/**
 * A log as Caddy 2.11 writes it, without end: a site with 60,000 addresses and 200 episodes, some far more wanted than others. At any time a
 * few hundred listen; a listener takes the file whole, or in a dozen ranges one after the other, as players do. Between them feeds,
 * pictures, probes and bots. The same numbers every time; its first lines are a day old.
 */
export function* accessLog(nowMs: number): Generator<{ text: string; lines: number }> {
  const random = createRandom(7)
  const sessions = Array.from({ length: SESSIONS }, () => openSession(random))
  const startS = nowMs / 1000 - 86_400
  for (let line = 0; ; line += LINES_A_CHUNK) {
    const lines = Array.from({ length: LINES_A_CHUNK }, (_, n) =>
      accessLine(Math.min(nowMs / 1000, startS + (line + n) / LINES_A_SECOND), nextRequest(sessions, random)),
    )
    yield { text: `${lines.join('\n')}\n`, lines: LINES_A_CHUNK }
  }
}

interface Session {
  ip: string
  agent: string
  uri: string
  /** Bytes of one range; the whole file for those who download. */
  rangeBytes: number
  position: number
  end: number
}

interface Request extends Session {
  status: number
  size: number
  headers: Record<string, string[]>
  answer: Record<string, string[]>
}

function openSession(random: () => number): Session {
  const address = Math.floor(random() ** 2 * ADDRESSES)
  const ip =
    address % 5 === 0
      ? `2a02:2121:${(address % 97).toString(16)}:${address.toString(16)}::${Math.floor(random() * 65_535).toString(16)}`
      : `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
  const agent = apps[address % apps.length]?.(address % 1000) ?? ''
  const downloads = random() < 0.3
  const end = downloads ? EPISODE_BYTES : Math.ceil(random() * 20) * RANGE_BYTES
  return {
    ip,
    agent,
    uri: episode(Math.floor(random() ** 3 * EPISODES)),
    rangeBytes: downloads ? EPISODE_BYTES : RANGE_BYTES,
    position: 0,
    end,
  }
}

function nextRequest(sessions: Session[], random: () => number): Request {
  const index = Math.floor(random() * SESSIONS)
  const session = sessions[index] ?? openSession(random)
  const kind = random()
  if (kind < 0.04)
    return { ...session, uri: '/feed.xml', status: 200, size: 90_000, headers: {}, answer: { 'Content-Type': ['application/rss+xml'] } }
  if (kind < 0.07)
    return { ...session, uri: '/media/cover.jpg', status: 200, size: 300_000, headers: {}, answer: { 'Content-Type': ['image/jpeg'] } }
  if (kind < 0.1) return media(session, [0, 2])
  const request = media(session, [session.position, session.position + session.rangeBytes])
  session.position += session.rangeBytes
  if (session.position >= session.end) sessions[index] = openSession(random)
  return request
}

function media(session: Session, [start, end]: [number, number]): Request {
  const size = end - start
  const answer = { 'Content-Type': ['audio/mpeg'], 'Content-Length': [String(size)] }
  if (size === EPISODE_BYTES) return { ...session, status: 200, size, headers: {}, answer }
  const range = `bytes ${start}-${end - 1}/${EPISODE_BYTES}`
  return {
    ...session,
    status: 206,
    size,
    headers: { Range: [`bytes=${start}-${end - 1}`] },
    answer: { ...answer, 'Content-Range': [range] },
  }
}

function accessLine(ts: number, { ip, agent, uri, status, size, headers, answer }: Request): string {
  return JSON.stringify({
    level: 'info',
    ts,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: ip,
      remote_port: '41234',
      client_ip: ip,
      proto: 'HTTP/2.0',
      method: 'GET',
      host: 'podkast.example.org',
      uri: `${uri}?ref=rss`,
      headers: { 'User-Agent': [agent], Accept: ['*/*'], 'Accept-Language': ['nb-NO,nb;q=0.9'], ...headers },
      tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'podkast.example.org', ech: false },
    },
    bytes_read: 0,
    user_id: '',
    duration: 0.0123,
    size,
    status,
    resp_headers: { Server: ['Caddy'], Etag: ['"tpbudu3fgvq"'], 'Accept-Ranges': ['bytes'], ...answer },
  })
}

const episode = (n: number) => `/media/ep${String(n + 1).padStart(3, '0')}.mp3`

/** Numbers from 0 to 1 that look random and are the same every time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
