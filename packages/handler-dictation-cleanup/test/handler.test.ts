import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import dictationCleanup from '../src/index.ts'
import { arrangeDictation } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

const id = '5a1de11a-0000-4000-8000-000000000001'

describeHandler({
  package: dictationCleanup,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange(database) {
    const { collectionNodeId, mediaNodeId } = await arrangeDictation(database)
    return { collectionNodeId, payload: { mediaNodeId }, jobId: '5a1de11a-0000-4000-8000-0000000000aa' }
  },
  badPayloads: [{}, { mediaNodeId: 'x' }, { text: ' …' }, { text: 'x'.repeat(60_001) }, { mediaNodeId: id, text: 'Hei' }],
  ignoreColumns: ['nodes.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
