import { randomUUID } from 'node:crypto'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import researchClip from '../src/index.ts'
import { article } from './samples.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: researchClip,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db }) {
    const { id: collectionNodeId } = await insertNode(db)
    return { collectionNodeId, jobId: randomUUID(), payload: { text: article, sourceUrl: 'https://avisa.example.no/havorn' } }
  },
  badPayloads: [
    ...[{}, { text: ' \n' }, { text: '…' }, { text: 'x'.repeat(60_001) }, { text: 'Hei', title: ' ' }],
    ...[
      { text: 'Hei', sourceUrl: 'avisa' },
      { text: 'Hei', sourceUrl: 'javascript:alert(1)' },
    ],
  ],
  ignoreColumns: ['nodes.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
