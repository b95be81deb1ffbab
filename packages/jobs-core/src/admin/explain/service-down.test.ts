import { describe, expect, test } from 'vitest'
import { explain } from './explain-job.ts'
import type { Snapshot } from './snapshot.ts'

const now = Date.parse('2026-11-30T12:00:00Z')
const minute = 60_000
const service = {
  ...{ name: 'captions', since: now - 10 * minute, code: 'UPSTREAM_UNAVAILABLE', status: 503, error: 'captions answered 503.' },
  ...{ probeAt: now + 4 * minute, probing: false },
}

function snapshot(around: Partial<Snapshot>, job: Partial<Snapshot['job']> = {}): Snapshot {
  return {
    now,
    job: {
      ...{ id: 'id', type: 'a_job', collection: 'c', status: 'pending', attempts: 0, maxAttempts: 3, error: null },
      ...{ scheduledFor: now - minute, startedAt: null, completedAt: null, prefetched: false, cancelRequestedAt: null, ...job },
    },
    ...{ runner: null, lastAttempt: null, pauses: [], services: [service], ahead: 0 },
    ...{ workers: [{ alive: true, draining: false, slots: 3, running: 0, heartbeatAt: now }], ...around },
  }
}

const down = 'The service captions, which it needs, has been down since 2026-11-30T11:50:00.000Z.'

describe('a job that needs a service that is down', () => {
  test('is told since when, what it failed with and when it is tried, before what its handler asked for', () => {
    const snoozed = { scheduledFor: now + 4 * minute, error: 'captions is down' }
    const explanation = explain(snapshot({ lastAttempt: { end: 'snoozed', code: 'SERVICE_DOWN', at: now } }, snoozed))
    expect(explanation.reasons).toMatchObject([
      {
        code: 'SERVICE_DOWN',
        facts: {
          ...{ service: 'captions', since: '2026-11-30T11:50:00.000Z', errorCode: 'UPSTREAM_UNAVAILABLE', httpStatus: 503 },
          ...{ error: 'captions answered 503.', probeAt: '2026-11-30T12:04:00.000Z', probing: false },
        },
      },
      { code: 'SNOOZED' },
    ])
    expect(explanation.sentence).toBe(
      `${down} It failed with: captions answered 503. In 4 min, at 2026-11-30T12:04:00.000Z, one job finds out whether it is back. ` +
        'Its handler asked for it to come back in 4 min, at 2026-11-30T12:04:00.000Z.',
    )
  })

  test.each([
    ['is just being tried', { probing: true }, `${down} One job is just finding out whether it is back.`],
    ['is due to be tried', { probeAt: now }, `${down} The next job that needs it finds out whether it is back.`],
  ])('hears that it %s', (_what, change, sentence) => {
    expect(explain(snapshot({ services: [{ ...service, error: null, ...change }] }))).toMatchObject({
      reasons: [{ code: 'SERVICE_DOWN' }],
      sentence,
    })
  })

  test('hears of each, and of none once it has ended', () => {
    const services = [service, { ...service, name: 'gateway' }]
    expect(explain(snapshot({ services })).reasons.map(({ facts }) => facts.service)).toEqual(['captions', 'gateway'])
    expect(explain(snapshot({ services }, { status: 'completed', completedAt: now })).reasons).toMatchObject([{ code: 'COMPLETED' }])
  })
})
