import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import valgomatGenerateProfile from '../src/index.ts'
import { arrangeProgramme } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

const programmeNodeId = '5a1de11a-0000-4000-8000-000000000001'

describeHandler({
  package: valgomatGenerateProfile,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange(database) {
    const { collectionNodeId, ...named } = await arrangeProgramme(database)
    return { collectionNodeId, payload: { party: 'Bygdelista', ...named } }
  },
  badPayloads: [
    ...[{}, { programmeNodeId }, { party: ' ', programmeNodeId }, { party: 'B', programmeNodeId: 'x' }],
    ...[
      { party: 'B', programmeNodeId, statementNodeIds: [] },
      { party: 'B', programmeNodeId, statementNodeIds: Array(201).fill(programmeNodeId) },
    ],
  ],
  ignoreColumns: ['valgomat_profiles.job_id', 'valgomat_profiles.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
