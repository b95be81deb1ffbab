import { describe, expect, test } from 'vitest'
import { article, type SiteAnswer, useSite } from './support.ts'

const moved = (location: string): SiteAnswer => ({ status: 302, headers: { location } })
const refresh = (to: string, body = '') => ({
  body: `<html><head><meta http-equiv="Refresh" content="0; URL=${to}"></head><body>${body}</body></html>`,
})
const rules = 'User-agent: *\nDisallow: /hemmelig'
let robots: SiteAnswer = { body: rules }

const site = useSite({
  '/robots.txt': () => robots,
  '/sak': { body: article('Ny kai') },
  '/hemmelig': { body: article('Hemmelig') },
  '/omvei': moved('/hemmelig'),
  '/vei': moved('/sak'),
  '/regler': moved('/regler'),
  '/videre': refresh('/sak'),
  '/videre-sitert': { body: `<noscript><meta http-equiv=refresh content='1;url="/sak"'></noscript>` },
  '/videre-hemmelig': refresh('/hemmelig'),
  '/videre-inn': refresh('http://169.254.169.254/latest/'),
  '/runde-1': refresh('/runde-2'),
  '/runde-2': refresh('/runde-1'),
  '/selv': refresh('/selv'),
  '/artikkel': refresh('/hemmelig', article('Direkte').replace(/[\s\S]*<body>/, '')),
  '/sent': { body: '<meta http-equiv=refresh content="300; url=/sak"><p>Vent litt.</p>' },
})
const asked = () => site.requests.map(({ url }) => url)

describe('a page that sends its reader on by itself', () => {
  test.each(['/videre', '/videre-sitert'])('is followed: %s', async (path) => {
    expect(await site.read(path)).toMatchObject({ title: 'Ny kai', obstacle: null, url: site.url('/sak'), requestedUrl: site.url(path) })
  })

  test('in circles is let go after two, and to itself at once', async () => {
    expect(await site.read('/runde-1')).toMatchObject({ obstacle: 'empty' })
    expect(asked()).toEqual(['/runde-1', '/runde-2', '/runde-1'])
    await site.read('/selv')
    expect(asked()).toEqual(['/selv'])
  })

  test('leads nowhere inside', async () => {
    await expect(site.read('/videre-inn')).rejects.toMatchObject({ kind: 'permanent', code: 'ADDRESS_REFUSED' })
  })

  test('and is an article itself, or wants to be read before, is what was asked for', async () => {
    expect(await site.read('/artikkel')).toMatchObject({ title: expect.any(String), obstacle: null, url: site.url('/artikkel') })
    await site.read('/sent')
    expect(asked()).toEqual(['/sent'])
  })
})

describe('robots.txt', () => {
  test.each(['/omvei', '/videre-hemmelig'])('is obeyed where the same site sends on: %s', async (path) => {
    robots = { body: rules }
    expect(await site.read(path, { automated: true })).toMatchObject({ obstacle: 'robots', text: '' })
    expect(asked()).not.toContain('/hemmelig')
  })

  test('is asked for once where a site sends to itself', async () => {
    robots = { body: rules }
    expect(await site.read('/vei', { automated: true })).toMatchObject({ obstacle: null, title: 'Ny kai' })
    expect(asked()).toEqual(['/robots.txt', '/vei', '/sak'])
  })

  test.each([
    ['in circles', moved('/regler')],
    ['inside', moved('http://10.0.0.7/robots.txt')],
    ['to no address', moved('http://')],
  ])('that is sent on %s is none', async (_, answer) => {
    robots = answer
    expect(await site.read('/sak', { automated: true })).toMatchObject({ obstacle: null, title: 'Ny kai' })
  })

  test('of ten megabytes is read as far as it has to be', async () => {
    robots = { body: `${rules}\n${'# x\n'.repeat(2_500_000)}Disallow: /sak` }
    expect(await site.read('/sak', { automated: true })).toMatchObject({ obstacle: null })
    expect(await site.read('/hemmelig', { automated: true })).toMatchObject({ obstacle: 'robots' })
  })

  test.each([500, 503, 429])('that answers %i allows nothing yet: it is tried again', async (status) => {
    robots = { status }
    await expect(site.read('/sak', { automated: true })).rejects.toMatchObject({ retryable: true })
    expect(asked()).toEqual(['/robots.txt'])
  })
})
