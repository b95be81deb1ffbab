import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import valgomatModeration from '../src/index.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: valgomatModeration,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db, pool }) {
    const { id: collectionNodeId } = await insertNode(db)
    const ids: string[] = []
    for (const content of ['Bør skolen på Nes beholdes?', 'Skolen på Nes bør beholdes, ikke sant?']) {
      const { id } = await insertNode(db, { kind: 'question', content })
      await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, id])
      ids.push(id)
    }
    return { collectionNodeId, payload: { questionNodeIds: ids } }
  },
  badPayloads: [
    {},
    { questionNodeIds: [] },
    { questionNodeIds: ['nei'] },
    { questionNodeIds: Array(101).fill('5a1de11a-0000-4000-8000-000000000001') },
  ],
  ignoreColumns: ['valgomat_moderations.updated_at', 'valgomat_moderations.job_id'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
