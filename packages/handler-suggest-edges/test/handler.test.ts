import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import suggestEdges from '../src/index.ts'
import { note } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: suggestEdges,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db, pool }) {
    const { id: collectionNodeId } = await insertNode(db)
    const { id: nodeId } = await insertNode(db, { kind: 'note', content: note })
    const { id: topicId } = await insertNode(db, { kind: 'topic', title: 'Bompenger' })
    await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains'), ($1, $3, 'contains')`, [
      collectionNodeId,
      nodeId,
      topicId,
    ])
    // What the trigger has enqueued is not this job.
    await pool.query(`delete from job_queue where job_type = 'suggest_edges'`)
    return { collectionNodeId, payload: { nodeId } }
  },
  badPayloads: [{}, { nodeId: 'ferje' }],
  ignoreColumns: ['edges.id', 'edges.metadata'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
