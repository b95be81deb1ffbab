import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LiveKitParticipant, LiveKitRoom } from '../testing/stand-ins/livekit/room.ts'
import { type LiveKitStandIn, startLiveKitStandIn } from '../testing/stand-ins/livekit/start-livekit-stand-in.ts'
import { createRooms, type RoomsOptions } from './create-rooms.ts'

const key = { apiKey: 'APIabc', apiSecret: 'a-secret-of-some-length-0123456789' }
const signal = new AbortController().signal
let liveKit: LiveKitStandIn
beforeEach(async () => {
  liveKit = await startLiveKitStandIn(key)
})
afterEach(() => liveKit.close())

const rooms = (more: Partial<RoomsOptions> = {}) => createRooms({ url: new URL(liveKit.url), ...key, cacheMs: 0, ...more })
const room = (more: Partial<LiveKitRoom> = {}): LiveKitRoom => ({ name: 'studio', ...more })
const somebody = (more: Partial<LiveKitParticipant> = {}) => room({ numParticipants: 0, participants: [{ identity: 'kari', ...more }] })

describe('which rooms are in use', () => {
  test.each<[string, LiveKitRoom[], { active: boolean; activeRooms: number; rooms: number }]>([
    ['none', [], { active: false, activeRooms: 0, rooms: 0 }],
    ['an empty one that lingers', [room()], { active: false, activeRooms: 0, rooms: 1 }],
    ['participants', [room({ numParticipants: 2 })], { active: true, activeRooms: 1, rooms: 1 }],
    ['publishers only', [room({ numPublishers: 1 })], { active: true, activeRooms: 1, rooms: 1 }],
    ['a recording only', [room({ activeRecording: true })], { active: true, activeRooms: 1, rooms: 1 }],
    [
      'one of three',
      [room({ name: 'a' }), room({ name: 'b', numParticipants: 1 }), room({ name: 'c' })],
      { active: true, activeRooms: 1, rooms: 3 },
    ],
    ['a count of zero that is wrong', [somebody()], { active: true, activeRooms: 1, rooms: 1 }],
    ['somebody by telephone', [somebody({ kind: 'SIP' })], { active: true, activeRooms: 1, rooms: 1 }],
    ['a recorder alone', [somebody({ kind: 'EGRESS' })], { active: true, activeRooms: 1, rooms: 1 }],
    ['an agent alone', [somebody({ kind: 'AGENT' })], { active: false, activeRooms: 0, rooms: 1 }],
    ['somebody who has left', [somebody({ state: 'DISCONNECTED' })], { active: false, activeRooms: 0, rooms: 1 }],
  ])('%s', async (_name, given, status) => {
    liveKit.setRooms(given)
    expect(await rooms().observe(signal)).toMatchObject({ outcome: 'answered', status })
  })

  test('fields in camel case', async () => {
    await using other = await startLiveKitStandIn({ ...key, rooms: [room({ numParticipants: 1 })], fieldNames: 'camel' })
    expect(await rooms({ url: new URL(other.url) }).observe(signal)).toMatchObject({ status: { active: true } })
  })

  test('numbers as text, large numbers and unknown fields', async () => {
    const body = '{"rooms":[{"name":"a","num_participants":"1","creation_time_ms":"9007199254740993","turn":9007199254740993}],"more":null}'
    liveKit.fail({ answer: { status: 200, body } })
    const look = await rooms().observe(signal)
    expect(look).toMatchObject({ status: { active: true } })
    expect(JSON.parse(JSON.stringify(look))).toEqual(look)
  })

  test('only the newest are looked into', async () => {
    const many = Array.from({ length: 30 }, (_, index) => room({ name: `r${index}`, creationTimeS: 1_000 + index }))
    liveKit.setRooms([...many.slice(0, 29), { ...somebody(), creationTimeS: 2_000 }])
    expect(await rooms().observe(signal)).toMatchObject({ status: { active: true, activeRooms: 1, rooms: 30 } })
    expect(liveKit.requests.filter(({ path }) => path.endsWith('ListParticipants'))).toHaveLength(10)
  })

  test('a room that is closed while it is looked into is empty', async () => {
    liveKit.setRooms([room()])
    liveKit.fail({ answer: { status: 200, body: '{"rooms":[{"name":"closed"}]}' } })
    expect(await rooms().observe(signal)).toMatchObject({ outcome: 'answered', status: { active: false } })
  })

  test.each([
    ['wss://example.org', 'https://example.org/twirp/livekit.RoomService/ListRooms'],
    ['ws://example.org:7880/live/', 'http://example.org:7880/live/twirp/livekit.RoomService/ListRooms'],
  ])('the API of %s', async (address, api) => {
    const url = new URL(address.replace('example.org', 'host.invalid'))
    const look = await rooms({ url, timeoutMs: 1_000 }).observe(signal)
    expect(look).toMatchObject({ outcome: 'failed', message: expect.stringContaining(api.replace('example.org', 'host.invalid')) })
  })
})

describe('what goes wrong is an observation too', () => {
  test.each([
    ['no answer', { hang: 'before-headers' as const }, 'silent'],
    ['half an answer', { hang: 'mid-body' as const }, 'silent'],
    ['a connection that is cut', { drop: 'before-headers' as const }, 'silent'],
    ['503', { answer: { status: 503 } }, 'silent'],
    ['a page', { answer: { status: 200, body: '<html>Bad gateway</html>' } }, 'silent'],
    ['JSON of something else', { answer: { status: 200, body: '[]' } }, 'silent'],
    ['rooms that are none', { answer: { status: 200, body: '{"rooms":"many"}' } }, 'silent'],
    ['404', { answer: { status: 404 } }, 'misconfigured'],
  ])('%s', async (_name, fault, failure) => {
    liveKit.fail(fault)
    expect(await rooms({ timeoutMs: 500 }).observe(signal)).toMatchObject({
      outcome: 'failed',
      failure,
      message: expect.stringMatching(/livekit: /),
    })
  })

  test('another secret is misconfigured, and the message holds none', async () => {
    const look = await rooms({ apiSecret: 'another-secret-of-some-length' }).observe(signal)
    expect(look).toMatchObject({ failure: 'misconfigured', message: expect.stringContaining('401') })
    expect(JSON.stringify(look)).not.toMatch(/another-secret|eyJ/)
  })

  test('nothing listens', async () => {
    await liveKit.close()
    expect(await rooms().observe(signal)).toMatchObject({ outcome: 'failed', failure: 'refused' })
  })

  test('one time limit for all calls of a look', async () => {
    liveKit.setRooms([room()])
    liveKit.fail({ delayMs: 300, times: 2 })
    expect(await rooms({ timeoutMs: 450 }).observe(signal)).toMatchObject({ outcome: 'failed', failure: 'silent' })
  })
})

describe('one look for all', () => {
  test('who asks while it is under way gets the same', async () => {
    liveKit.fail({ delayMs: 100 })
    const shared = rooms()
    const looks = await Promise.all(Array.from({ length: 20 }, () => shared.observe(signal)))
    expect(new Set(looks).size).toBe(1)
    expect(liveKit.requests).toHaveLength(1)
  })

  test('it is good for a while, a failure too', async () => {
    let now = 0
    const cached = rooms({ cacheMs: 5_000, nowMs: () => now })
    liveKit.fail({ answer: { status: 503 } })
    const first = await cached.observe(signal)
    now = 4_999
    expect(await cached.observe(signal)).toBe(first)
    now = 5_000
    expect(await cached.observe(signal)).toMatchObject({ outcome: 'answered', atMs: 5_000 })
    expect(liveKit.requests).toHaveLength(2)
  })

  test('the signal’s reason is all it throws; the others go on', async () => {
    liveKit.fail({ delayMs: 100 })
    const shared = rooms()
    const leave = new AbortController()
    const leaving = shared.observe(leave.signal)
    const staying = shared.observe(signal)
    await liveKit.received(1)
    leave.abort(new Error('cancelled'))
    await expect(leaving).rejects.toThrow('cancelled')
    expect(await staying).toMatchObject({ outcome: 'answered' })
    await expect(shared.observe(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  test('when nobody waits any more the call ends, and counts for nothing', async () => {
    liveKit.fail({ hang: 'before-headers' })
    const shared = rooms({ cacheMs: 5_000, timeoutMs: 60_000 })
    const leave = new AbortController()
    const leaving = shared.observe(leave.signal)
    const request = await liveKit.received(1)
    leave.abort(new Error('cancelled'))
    await expect(leaving).rejects.toThrow('cancelled')
    expect(await request.ended).toBe('left')
    expect(await shared.observe(signal)).toMatchObject({ outcome: 'answered' })
  })
})
