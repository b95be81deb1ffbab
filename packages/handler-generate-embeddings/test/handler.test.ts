import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import generateEmbeddings from '../src/index.ts'
import { article } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: generateEmbeddings,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db, pool }) {
    const { id: collectionNodeId } = await insertNode(db)
    const { id: nodeId } = await insertNode(db, { kind: 'note', title: 'Nytt fra øya', content: article() })
    await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, nodeId])
    return { collectionNodeId, payload: { nodeId } }
  },
  badPayloads: [
    {},
    { nodeId: 'ferje' },
    { nodeId: '5a1de11a-0000-4000-8000-000000000001', force: 'yes' },
    { nodeId: '5a1de11a-0000-4000-8000-000000000001', mediaNodeId: '5a1de11a-0000-4000-8000-000000000001' },
  ],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
