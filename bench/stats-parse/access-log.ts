import type { CollectionSettingsInput } from '@sidelinja/jobs-kit'

const EPISODES = 200
const EPISODE_BYTES = 40_000_000
const ADDRESSES = 60_000
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
 * A log as Caddy 2.11 writes it, without end: a site with 60,000 addresses and 200 episodes, some far more wanted than others, whole files and
 * ranges, feeds, pictures, bots. The same numbers every time. Its first lines are a day old.
 */
export function* accessLog(nowMs: number): Generator<{ text: string; lines: number }> {
  const random = createRandom(7)
  const startS = nowMs / 1000 - 86_400
  for (let line = 0; ; line += LINES_A_CHUNK) {
    const lines = Array.from({ length: LINES_A_CHUNK }, (_, n) =>
      accessLine(Math.min(nowMs / 1000, startS + (line + n) / LINES_A_SECOND), random),
    )
    yield { text: `${lines.join('\n')}\n`, lines: LINES_A_CHUNK }
  }
}

function accessLine(ts: number, random: () => number): string {
  const address = Math.floor(random() ** 2 * ADDRESSES)
  const ip =
    address % 5 === 0
      ? `2a02:2121:${(address % 97).toString(16)}:${address.toString(16)}::${line64(random)}`
      : `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
  const agent = apps[address % apps.length]?.(address % 1000) ?? ''
  const kind = random()
  const asked = kind < 0.06 ? feed() : kind < 0.1 ? picture() : media(random, address)
  return JSON.stringify({
    level: 'info',
    ts,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: ip,
      remote_port: String(20_000 + (address % 40_000)),
      client_ip: ip,
      proto: 'HTTP/2.0',
      method: 'GET',
      host: 'podkast.example.org',
      uri: asked.uri,
      headers: { 'User-Agent': [agent], Accept: ['*/*'], 'Accept-Language': ['nb-NO,nb;q=0.9'], ...asked.headers },
      tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'podkast.example.org', ech: false },
    },
    bytes_read: 0,
    user_id: '',
    duration: 0.0123,
    size: asked.size,
    status: asked.status,
    resp_headers: { Server: ['Caddy'], Etag: ['"tpbudu3fgvq"'], 'Accept-Ranges': ['bytes'], ...asked.answer },
  })
}

function media(random: () => number, address: number) {
  const uri = `${episode(Math.floor(random() ** 3 * EPISODES))}?ref=rss`
  if (random() < 0.5) {
    return {
      uri,
      status: 200,
      size: EPISODE_BYTES,
      headers: {},
      answer: { 'Content-Type': ['audio/mpeg'], 'Content-Length': [String(EPISODE_BYTES)] },
    }
  }
  const start = Math.floor(random() * 20) * 500_000
  const end = address % 4 === 0 && start === 0 ? 1 : start + 499_999
  const size = end - start + 1
  const range = `bytes ${start}-${end}/${EPISODE_BYTES}`
  const answer = { 'Content-Type': ['audio/mpeg'], 'Content-Length': [String(size)], 'Content-Range': [range] }
  return { uri, status: 206, size, headers: { Range: [`bytes=${start}-${end}`] }, answer }
}

function feed() {
  return { uri: '/feed.xml', status: 200, size: 90_000, headers: {}, answer: { 'Content-Type': ['application/rss+xml'] } }
}

function picture() {
  return { uri: '/media/cover.jpg', status: 200, size: 300_000, headers: {}, answer: { 'Content-Type': ['image/jpeg'] } }
}

const episode = (n: number) => `/media/ep${String(n + 1).padStart(3, '0')}.mp3`
const line64 = (random: () => number) => Math.floor(random() * 65_535).toString(16)

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
