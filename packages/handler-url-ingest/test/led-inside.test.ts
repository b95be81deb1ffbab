import { readFile } from 'node:fs/promises'
import { enqueue } from '@sidelinja/jobs-core'
import { drain } from '@sidelinja/jobs-core/testing'
import { recordDials } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { urlIngest } from '../src/job.ts'
import { page } from './samples.ts'
import { setup } from './support.ts'

/** Each line a page, where it sends to, and what its name leads to (A36). */
const lines = (await readFile(new URL('fixtures/a36-redirects.txt', import.meta.url), 'utf8')).trim().split('\n')

describe('a page that leads inside', () => {
  let t: Awaited<ReturnType<typeof setup>>
  let collectionNodeId: string
  beforeAll(async () => {
    t = await setup(inject('server'))
    collectionNodeId = await t.collection()
  })
  afterAll(() => t.drop())

  /** Puts a line's site up: the name leads here, or where the line says; the port is the site's, but for names that lead inside. */
  function arrange(line: string): string {
    const [address = '', rest = ''] = line.split(/ +(?:-> +|with +)/, 1).concat(line)
    const url = new URL(address)
    const [, dns] = /DNS A (\S+)/.exec(rest) ?? []
    if (dns !== undefined) {
      t.site.names.set(url.hostname, dns)
      return url.href
    }
    const [, target = ''] = /Location: (\S+)|-> (http:\S+)$/.exec(rest)?.filter(Boolean) ?? []
    const hops = rest.match(/\b302\b/g)?.length ?? 0
    for (let hop = 1; hop <= hops; hop++) {
      const location = hop === hops ? target : `${url.pathname}-${hop}`
      t.site.setPages({ [hop === 1 ? url.pathname : `${url.pathname}-${hop - 1}`]: { status: 302, headers: { location } } })
    }
    return t.site.address(url.pathname, url.hostname)
  }

  test.each(lines)('fails for good and dials nothing there: %s', async (line) => {
    const url = arrange(line)
    const { port } = new URL(t.site.url)
    using dials = recordDials()
    const { id } = await enqueue(t.pool, urlIngest, { url }, { collectionNodeId })
    const [run] = await drain(t.db, [t.handler])
    expect(run).toMatchObject({ id, attempt: 1, outcome: 'error', error: { code: 'ADDRESS_REFUSED' } })
    expect(run?.error?.message).not.toMatch(/refused to|ECONN|timed? ?out|unreachable|connect/i)
    // The database and the site are on this machine, too.
    const own = [`127.0.0.1 ${port}`, `127.0.0.1 ${new URL(t.connectionString).port}`]
    expect(dials.addresses.filter((address) => !own.includes(address) && !address.startsWith('/'))).toEqual([])
    expect(await t.clips(collectionNodeId)).toEqual([])
    expect(t.gateway.requests).toEqual([])
  })

  test('there are five of them, and no other than those stands between', async () => {
    expect(lines).toHaveLength(5)
    t.site.setPages({ '/flyttet': { status: 301, headers: { location: '/sak' } }, '/sak': page() })
    await enqueue(t.pool, urlIngest, { url: t.site.address('/flyttet', 'clip.example.test') }, { collectionNodeId })
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed' }])
    for (let hop = 0; hop < 7; hop++) t.site.setPages({ [`/hopp-${hop}`]: { status: 302, headers: { location: `/hopp-${hop + 1}` } } })
    await enqueue(t.pool, urlIngest, { url: t.site.address('/hopp-0') }, { collectionNodeId })
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'error', error: { code: 'TOO_MANY_REDIRECTS' } }])
  })
})
