import { randomUUID } from 'node:crypto'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, type SiteStandIn, startGatewayStandIn, startSiteStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import urlIngest from '../src/index.ts'
import { page } from './samples.ts'

let gateway: GatewayStandIn
let site: SiteStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
  site = await startSiteStandIn({ pages: { '/sak': page() } })
})
afterAll(() => Promise.all([gateway.close(), site.close()]))

describeHandler({
  package: urlIngest,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices({ db }) {
    const services = createServices({ db, gateway: { url: new URL(gateway.url) }, web: site.web })
    const { collections, web } = services
    // Two runs differ in when they fetched, and in nothing else.
    const read: typeof web.read = async (request, signal) => ({
      ...(await web.read(request, signal)),
      fetchedAt: '2026-12-01T09:00:00.000Z',
    })
    return { collections, gateway: services.gateway, web: { read } }
  },
  async arrange({ db }) {
    const { id: collectionNodeId } = await insertNode(db)
    return { collectionNodeId, jobId: randomUUID(), payload: { url: site.address('/sak') } }
  },
  badPayloads: [
    ...[
      {},
      { url: '' },
      { url: 'avisa' },
      { url: 'file:///etc/hostname' },
      { url: 'javascript:alert(1)' },
      { url: `https://avisa.example/${'x'.repeat(2_000)}` },
    ],
    ...[
      { url: 'https://avisa.example/', title: ' ' },
      { url: 'https://avisa.example/', automated: 'yes' },
    ],
  ],
  ignoreColumns: ['nodes.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
