import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler, type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import meetingSummarize from '../src/index.ts'
import { arrangeMeeting } from './support.ts'

let gateway: GatewayStandIn
beforeAll(async () => {
  gateway = await startGatewayStandIn()
})
afterAll(() => gateway.close())

const mediaNodeId = '5a1de11a-0000-4000-8000-000000000001'

describeHandler({
  package: meetingSummarize,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices: ({ db }) => createServices({ db, gateway: { url: new URL(gateway.url) } }),
  async arrange(database) {
    const { collectionNodeId, mediaNodeId: meeting } = await arrangeMeeting(database)
    return { collectionNodeId, payload: { mediaNodeId: meeting, meetingDate: '2026-12-01' } }
  },
  badPayloads: [
    ...[{}, { mediaNodeId: 'x' }, { mediaNodeId, meetingDate: '1.12.2026' }, { mediaNodeId, meetingDate: '2026-02-30' }],
    ...[
      { mediaNodeId, attendees: [' '] },
      { mediaNodeId, followUps: ['Drop Table'] },
    ],
  ],
  ignoreColumns: ['meeting_minutes.job_id', 'meeting_minutes.updated_at'],
  ignoreTables: ['ai_calls', 'service_breakers'],
})
