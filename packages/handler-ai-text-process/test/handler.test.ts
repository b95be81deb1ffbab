import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import aiTextProcess from '../src/index.ts'
import { note } from './samples.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: aiTextProcess,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db, pool }) {
    const { id: collectionNodeId } = await insertNode(db)
    const { id: nodeId } = await insertNode(db, { kind: 'note', content: note })
    await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, nodeId])
    return { collectionNodeId, payload: { mode: 'rens', nodeId, replace: true } }
  },
  badPayloads: [
    ...[{ mode: 'rens' }, { mode: 'rens', text: '  ' }, { mode: 'dikt', text: 'Hei' }, { mode: 'rens', text: 'Hei', replace: true }],
    ...[
      { mode: 'rens', text: 'x'.repeat(60_001) },
      { mode: 'rens', text: 'Hei', nodeId: '5a1de11a-0000-4000-8000-000000000001' },
    ],
  ],
  ignoreColumns: ['nodes.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
