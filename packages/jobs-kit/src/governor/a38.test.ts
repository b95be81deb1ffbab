import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRooms } from '../rooms/create-rooms.ts'
import { type LiveKitStandIn, startLiveKitStandIn } from '../testing/stand-ins/livekit/start-livekit-stand-in.ts'
import { createGovernor } from './create-governor.ts'

// A check of LiveKit that stalls or lies holds nothing up.

const key = { apiKey: 'APIabc', apiSecret: 'a-secret-of-some-length-0123456789' }
const work = { priority: 5, ageMs: 0 }
const signal = new AbortController().signal
let liveKit: LiveKitStandIn
beforeEach(async () => {
  liveKit = await startLiveKitStandIn(key)
})
afterEach(() => liveKit.close())

const governor = (more: object = {}) => createGovernor({ rooms: createRooms({ url: new URL(liveKit.url), ...key, ...more }) })

async function timed<T>(promise: Promise<T>): Promise<{ value: T; ms: number }> {
  const before = performance.now()
  return { value: await promise, ms: performance.now() - before }
}

describe('gentle within two seconds, and with a warning', () => {
  test('a host that says nothing', async () => {
    liveKit.fail({ hang: 'before-headers' })
    const { value, ms } = await timed(governor().decide(work, signal))
    expect(value).toMatchObject({ mode: 'gentle', threads: 2, deferMs: undefined, warning: expect.stringContaining('does not answer') })
    expect(ms).toBeLessThan(5_000)
  })

  test('a host that drips', async () => {
    liveKit.setRooms([{ name: 'studio' }])
    liveKit.fail({ dripMs: 100 })
    const { value, ms } = await timed(governor().decide(work, signal))
    expect(value).toMatchObject({ mode: 'gentle', warning: expect.stringContaining('does not answer') })
    expect(ms).toBeLessThan(5_000)
  })

  test('nothing listens', async () => {
    await liveKit.close()
    const { value, ms } = await timed(governor().decide(work, signal))
    expect(value).toMatchObject({ mode: 'gentle', threads: 2, warning: expect.stringContaining('nothing listens') })
    expect(ms).toBeLessThan(5_000)
  })

  test('401', async () => {
    const { value, ms } = await timed(governor({ apiSecret: 'another-secret-of-some-length' }).decide(work, signal))
    expect(value).toMatchObject({ mode: 'gentle', threads: 2, warning: expect.stringMatching(/refuses the worker’s key.*401/) })
    expect(ms).toBeLessThan(5_000)
  })
})

test('a room as it was captured: fewer threads', async () => {
  const body = await readFile(new URL('../../test/fixtures/livekit/a38-livekit-rooms.json', import.meta.url), 'utf8')
  liveKit.fail({ answer: { status: 200, body } })
  const decision = await governor().decide(work, signal)
  expect(decision).toMatchObject({ mode: 'gentle', threads: 2, reason: '1 room in use', warning: undefined })
  expect(JSON.parse(JSON.stringify(decision))).toMatchObject({ mode: 'gentle' })
})

test('the same room with a count of zero is not believed: somebody is in it', async () => {
  liveKit.setRooms([{ name: 'studio', numParticipants: 0, participants: [{ identity: 'kari' }, { identity: 'ola' }] }])
  expect(await governor().decide(work, signal)).toMatchObject({ mode: 'gentle', reason: '1 room in use' })
})

test('a room that opens while a piece is at work: that piece goes on, the next is gentle', async () => {
  const anew = governor({ cacheMs: 0 })
  const running = await anew.decide(work, signal)
  liveKit.setRooms([{ name: 'studio', numParticipants: 1 }])
  expect(running.mode).toBe('full')
  running[Symbol.dispose]()
  expect(await anew.decide(work, signal)).toMatchObject({ mode: 'gentle' })
})

test('all slots share one check', async () => {
  liveKit.fail({ hang: 'before-headers' })
  const shared = createGovernor({ rooms: createRooms({ url: new URL(liveKit.url), ...key }), gentle: { concurrency: undefined } })
  const { value, ms } = await timed(Promise.all(Array.from({ length: 10 }, () => shared.decide(work, signal))))
  expect(value.map(({ mode }) => mode)).toEqual(Array.from({ length: 10 }, () => 'gentle'))
  expect(ms).toBeLessThan(5_000)
  expect(liveKit.requests).toHaveLength(1)
})
