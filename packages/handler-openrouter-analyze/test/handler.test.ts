import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices, type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { replaceSegments } from '@sidelinja/jobs-kit/storage'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, inject } from 'vitest'
import openrouterAnalyze from '../src/index.ts'
import { council } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: openrouterAnalyze,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db }) {
    const { id: collectionNodeId } = await insertNode(db)
    const { id: mediaNodeId } = await insertNode(db, { kind: 'episode' })
    const rough = council.map((text, n): RoughSegment => ({ startMs: n * 5_000, endMs: (n + 1) * 5_000, text }))
    const transcript = { jobId: null, language: 'nb', segments: tidySegments(rough) }
    await (db as unknown as Kysely<unknown>).transaction().execute((trx) => replaceSegments(trx, collectionNodeId, mediaNodeId, transcript))
    return { collectionNodeId, payload: { mediaNodeId } }
  },
  badPayloads: [{}, { mediaNodeId: 'x' }, { mediaNodeId: '5a1de11a-0000-4000-8000-000000000001', followUps: ['Drop Table'] }],
  ignoreColumns: ['media_analyses.job_id', 'media_analyses.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
