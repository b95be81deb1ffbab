import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { article, fetchedAt, fixture, type SiteAnswer, sentence, useSite } from './support.ts'

const html = { 'content-type': 'text/html' }
const moved = (location: string): SiteAnswer => ({ status: 301, headers: { location } })
const latin = await fixture('a37-latin1-meta.html')
const marked = await fixture('a37-utf8-bytes-wrong-meta.html')

const site = useSite({
  '/sak': { headers: { ...html, etag: '"7"', 'x-robots-tag': 'noai' }, body: article('Ny kai') },
  '/flyttet?utm_source=x': moved('/sak?utm_source=x#topp'),
  '/sak?utm_source=x': { body: article('Ny kai') },
  '/kanonisk': { body: article('Ny kai').replace('</head>', '<link rel="canonical" href="/sak"></head>') },
  '/tekst': {
    headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
    body: Buffer.from(`Bl\xe5b\xe6r\0 \u0093her\u0094 og der, p\xe5 heia og i skogen og ellers overalt.`, 'latin1'),
  },
  '/latin': { headers: html, body: latin },
  '/latin-header': { headers: { 'content-type': 'text/html; charset=ISO-8859-1' }, body: latin },
  '/latin-unknown': { headers: { 'content-type': 'text/html; charset=klingon' }, body: latin },
  '/marked': { headers: html, body: marked },
  '/borte': { status: 410, body: article('Borte') },
  '/forbudt': { status: 403, body: article('Forbudt') },
  '/betal': { status: 402 },
  '/sjekk': { status: 503, headers: { ...html, 'cf-mitigated': 'challenge' }, body: '<title>Just a moment...</title>' },
  '/travel': { status: 429, headers: { 'retry-after': '90' } },
  '/syk': { status: 503 },
  '/stor': { body: `<p>${'x'.repeat(5 * 1024 * 1024)}` },
  '/bilde': { headers: { 'content-type': 'image/png' }, body: 'x'.repeat(100) },
  '/zip': { headers: { 'content-type': 'application/octet-stream' }, body: 'PK\0\0' },
  '/dyp': { body: '<div>'.repeat(20_000) },
  '/tom': { body: '<html><body></body></html>' },
  '/lang': { body: `<body>${`<p>${sentence}</p>`.repeat(2_500)}</body>` },
  '/forsiden/gammel/sak': moved('/'),
  '/': { body: article('Forsiden') },
  '/robots.txt': {
    headers: { 'content-type': 'text/plain' },
    body: 'User-agent: sidelinja-jobs\nDisallow: /forbudt',
  },
  '/annensteds': () => moved(site.url('/forbudt', 'annen.example')),
})

test('a page is read with what is known of it', async () => {
  const body = article('Ny kai')
  expect(await site.read('/sak')).toEqual({
    ...{ requestedUrl: site.url('/sak'), url: site.url('/sak'), canonicalUrl: null, key: site.url('/sak').replace('http://', '') },
    ...{ status: 200, mediaType: 'text/html', obstacle: null, text: Array(20).fill(sentence).join('\n\n'), cutCharacters: 0 },
    ...{ title: 'Ny kai', siteName: null, author: null, publishedAt: null, description: null, language: 'nb', reservations: ['noai'] },
    ...{
      etag: '"7"',
      contentHash: createHash('sha256').update(body).digest('hex'),
      bytes: Buffer.byteLength(body),
      fetchedAt: fetchedAt.toISOString(),
    },
  })
  expect(site.requests.map(({ url, headers }) => [url, headers['user-agent']])).toEqual([
    ['/sak', 'sidelinja-jobs (reads a page that somebody asked for)'],
  ])
  await site.read('/sak', {}, { contact: 'post@example.org' })
  expect(site.requests[0]?.headers['user-agent']).toBe('sidelinja-jobs (reads a page that somebody asked for; post@example.org)')
})

test('all addresses of a page have one key', async () => {
  const pages = [await site.read('/sak'), await site.read('/flyttet?utm_source=x'), await site.read('/kanonisk')]
  expect(new Set(pages.map(({ key }) => key)).size).toBe(1)
  expect(pages.map(({ url, canonicalUrl }) => [url, canonicalUrl])).toEqual([
    [site.url('/sak'), null],
    [site.url('/sak'), null],
    [site.url('/kanonisk'), site.url('/sak')],
  ])
})

describe('a page in another encoding (A37)', () => {
  test.each(['/latin', '/latin-header', '/latin-unknown', '/marked'])('is read as it was meant: %s', async (path) => {
    const { title, text, obstacle } = await site.read(path)
    expect([title, obstacle]).toEqual(['Blåbærsyltetøy på Røros', null])
    expect(text).toMatch(/^Det er høst på fjellet, og bærplukkerne står i kø\. Årets avling(.|\n)*på jordet bak låven\.$/)
    expect(`${title} ${text}`).not.toContain('\ufffd')
  })

  test('is read as windows-1252 where plain text says latin1, and without what nobody sees', async () => {
    expect(await site.read('/tekst')).toMatchObject({
      text: 'Blåbær “her” og der, på heia og i skogen og ellers overalt.',
      title: null,
      mediaType: 'text/plain',
    })
  })
})

describe('what stands between', () => {
  test.each([
    ['/ingen', 'not_found', 404],
    ['/borte', 'not_found', 410],
    ['/forbudt', 'refused', 403],
    ['/betal', 'paywall', 402],
    ['/sjekk', 'refused', 503],
    ['/tom', 'empty', 200],
    ['/forsiden/gammel/sak', 'not_found', 200],
  ])('%s is told, and no text of what is there instead: %s', async (path, obstacle, status) => {
    const page = await site.read(path)
    expect(page).toMatchObject({ obstacle, status, key: site.url(path).replace('http://', '') })
    if (status !== 200) expect([page.text, page.title]).toEqual(['', null])
  })

  test('a page that takes too much time or memory, or is too deep, is unreadable and no more', async () => {
    expect(await site.read('/dyp', {}, { parseTimeoutMs: 300 })).toMatchObject({ obstacle: 'unreadable', text: '', bytes: 100_000 })
    expect(await site.read('/lang', {}, { parseMemoryMb: 4 })).toMatchObject({ obstacle: 'unreadable' })
  })

  test('a text that is longer than what is kept is cut, and that is told', async () => {
    const page = await site.read('/lang')
    expect([page.text.length, page.cutCharacters, page.obstacle]).toEqual([200_000, 2_500 * (sentence.length + 2) - 2 - 200_000, null])
  })

  test.each([
    ['/stor', 'PAGE_TOO_LARGE'],
    ['/bilde', 'MEDIA_TYPE_UNSUPPORTED'],
    ['/zip', 'MEDIA_TYPE_UNSUPPORTED'],
  ])('%s fails for good: %s', async (path, code) => expect(site.read(path)).rejects.toMatchObject({ kind: 'permanent', code }))

  test.each([
    ['/travel', { code: 'UPSTREAM_RATE_LIMITED', retryable: true, retryAfterMs: 90_000 }],
    ['/syk', { code: 'UPSTREAM_UNAVAILABLE', retryable: true }],
  ])('%s may be well later', async (path, error) => expect(site.read(path)).rejects.toMatchObject(error))

  test('an address that is none, or leads inside, is refused', async () => {
    await expect(site.read('/', { url: 'avisa' })).rejects.toMatchObject({ kind: 'permanent', code: 'ADDRESS_REFUSED' })
    await expect(site.read('/', { url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({ kind: 'permanent', code: 'ADDRESS_REFUSED' })
  })

  test('the signal ends it, while a page is read, too', async () => {
    const stop = new AbortController()
    const page = site.read('/dyp', {}, { signal: stop.signal })
    setImmediate(() => stop.abort(new Error('stopped')))
    await expect(page).rejects.toThrow('stopped')
  })
})

describe('robots.txt', () => {
  const asked = () => site.requests.map(({ url }) => url)
  test('is not asked for a page that somebody wants', async () => {
    await site.read('/sak')
    expect(asked()).toEqual(['/sak'])
  })

  test('is obeyed by machines', async () => {
    expect(await site.read('/sak', { automated: true })).toMatchObject({ obstacle: null })
    expect(asked()).toEqual(['/robots.txt', '/sak'])
    expect(await site.read('/forbudt', { automated: true })).toMatchObject({
      obstacle: 'robots',
      status: null,
      text: '',
      contentHash: null,
    })
    expect(asked()).toEqual(['/robots.txt'])
  })

  test('of the site that an address leads to counts as well', async () => {
    expect(await site.read('/annensteds', { automated: true })).toMatchObject({ obstacle: 'robots', text: '' })
    expect(asked()).toEqual(['/robots.txt', '/annensteds', '/robots.txt'])
  })
})
