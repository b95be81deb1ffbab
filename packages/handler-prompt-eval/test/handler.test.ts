import { randomUUID } from 'node:crypto'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import promptEval from '../src/index.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

const tests = [{ vars: { tekst: 'Kommunen bygger ny bru. Den koster 40 millioner kroner.' }, assert: [{ type: 'contains', value: 'bru' }] }]

describeHandler({
  package: promptEval,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange({ db }) {
    const { id: collectionNodeId } = await insertNode(db)
    return { collectionNodeId, jobId: randomUUID(), payload: { prompt: '{{tekst}}', tests, models: ['sidelinja/rutine'] } }
  },
  badPayloads: [
    {},
    { prompt: 'a', tests, models: [] },
    { prompt: 'a', promptNodeId: '5a1de11a-0000-4000-8000-000000000001', tests, models: ['m'] },
    { prompt: 'a', tests, models: ['m', 'm'] },
    { prompt: 'a', tests, models: ['m'], judgeModel: 'm' },
    { prompt: 'a', tests: [{ assert: [{ type: 'javascript', value: 'process.exit()' }] }], models: ['m'] },
    { prompt: 'a', tests: [{ assert: [{ type: 'regex', value: '(' }] }], models: ['m'] },
    { prompt: 'a', tests: Array.from({ length: 100 }, () => ({})), models: ['m'], repeat: 6 },
    { prompt: 'a', tests, models: ['m'], maxCostUsd: 0 },
  ],
  ignoreColumns: ['prompt_evals.created_at', 'prompt_evals.latency_ms'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
