import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import promptEval from '../src/index.ts'
import { arrangeTranscript, programme } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

describeHandler({
  package: promptEval,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  arrange: (database) => arrangeTranscript(database, programme),
  badPayloads: [{}, { mediaNodeId: 'x' }, { mediaNodeId: 7 }],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
