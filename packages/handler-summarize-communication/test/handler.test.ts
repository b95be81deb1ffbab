import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import summarizeCommunication from '../src/index.ts'
import { arrangeChat } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

const id = '5a1de11a-0000-4000-8000-000000000001'

describeHandler({
  package: summarizeCommunication,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange(database) {
    const { collectionNodeId, nodeId } = await arrangeChat(database)
    return { collectionNodeId, payload: { nodeId }, jobId: '5a1de11a-0000-4000-8000-0000000000aa' }
  },
  badPayloads: [{}, { nodeId: 'x' }, { nodeId: id, mediaNodeId: id }, { nodeId: null }],
  ignoreColumns: ['nodes.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
