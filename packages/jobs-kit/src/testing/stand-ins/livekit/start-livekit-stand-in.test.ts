import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LiveKitStandIn, startLiveKitStandIn } from './start-livekit-stand-in.ts'
import type { VideoGrant } from './token.ts'

const key = { apiKey: 'APIabc', apiSecret: 'a-secret-of-some-length-0123456789' }
let liveKit: LiveKitStandIn
beforeAll(async () => {
  liveKit = await startLiveKitStandIn(key)
})
beforeEach(() => liveKit.setRooms([]))
afterAll(() => liveKit.close())

const room = { name: 'studio', creationTimeS: 1_780_300_000, participants: [{ identity: 'kari' }, { identity: 'ola' }] }

describe('LiveKit stand-in', () => {
  test('no rooms are an empty object', async () => {
    expect(await call('ListRooms', {}, { roomList: true })).toEqual({ status: 200, body: {} })
  })

  test('rooms as LiveKit sends them: zeros absent, long numbers as text', async () => {
    liveKit.setRooms([room])
    const { body } = await call('ListRooms', {}, { roomList: true })
    expect(body).toEqual({
      rooms: [
        {
          sid: 'RM_studio',
          name: 'studio',
          empty_timeout: 300,
          departure_timeout: 20,
          creation_time: '1780300000',
          num_participants: 2,
        },
      ],
    })
    const captured = JSON.parse(
      await readFile(new URL('../../../../test/fixtures/livekit/a38-livekit-rooms.json', import.meta.url), 'utf8'),
    )
    const { sid, ...fields } = captured.rooms[0]
    expect(body.rooms[0]).toMatchObject(fields)
  })

  test('agents and recorders do not count as participants, and a count can be made to lie', async () => {
    const participants = [{ identity: 'a', kind: 'AGENT' as const }, { identity: 'e', kind: 'EGRESS' as const }, { identity: 'kari' }]
    liveKit.setRooms([
      { name: 'a', participants },
      { name: 'b', participants, numParticipants: 0, activeRecording: true, numPublishers: 1 },
    ])
    const { body } = await call('ListRooms', {}, { roomList: true })
    expect(body.rooms).toMatchObject([{ num_participants: 1 }, { num_publishers: 1, active_recording: true }])
    expect(body.rooms[1]).not.toHaveProperty('num_participants')
  })

  test('names in camel case, as other versions write them', async () => {
    await using other = await startLiveKitStandIn({ ...key, rooms: [room], fieldNames: 'camel' })
    const { body } = await call('ListRooms', {}, { roomList: true }, other)
    expect(body.rooms).toMatchObject([{ numParticipants: 2, creationTime: '1780300000' }])
  })

  test('participants of one room, for whoever may administer it', async () => {
    liveKit.setRooms([room])
    const { body } = await call('ListParticipants', { room: 'studio' }, { roomAdmin: true, room: 'studio' })
    expect(body).toMatchObject({ participants: [{ identity: 'kari', state: 'ACTIVE' }, { identity: 'ola' }] })
    expect(await call('ListParticipants', { room: 'studio' }, { roomAdmin: true, room: 'other' })).toMatchObject({ status: 401 })
    expect(await call('ListParticipants', { room: 'studio' }, { roomList: true })).toMatchObject({ status: 401 })
    expect(await call('ListParticipants', { room: 'x' }, { roomAdmin: true, room: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  test.each([
    ['no token', undefined, 'authorization header required'],
    ['nonsense', 'Bearer x.y.z', 'invalid token'],
    ['another secret', () => sign({ roomList: true }, { secret: 'another-secret-of-some-length' }), 'invalid token: signature is invalid'],
    ['another key', () => sign({ roomList: true }, { issuer: 'APIother' }), 'invalid API key'],
    ['an expired token', () => sign({ roomList: true }, { expires: -10 }), 'invalid token: token is expired'],
    ['a token of tomorrow', () => sign({ roomList: true }, { begins: 600 }), 'invalid token: token is not valid yet'],
  ])('refuses %s', async (_name, authorization, text) => {
    const header = typeof authorization === 'function' ? `Bearer ${await authorization()}` : authorization
    const response = await fetch(`${liveKit.url}/twirp/livekit.RoomService/ListRooms`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...(header !== undefined && { authorization: header }) },
    })
    expect([response.status, await response.text()]).toEqual([401, text])
  })

  test('a token without the right is unauthenticated', async () => {
    expect(await call('ListRooms', {}, {})).toEqual({ status: 401, body: { code: 'unauthenticated', msg: 'permissions denied' } })
  })

  test('wrong routes are told as Twirp tells them', async () => {
    expect(await call('DeleteRoom', {}, { roomList: true })).toMatchObject({ status: 404, body: { code: 'bad_route' } })
    const get = await fetch(`${liveKit.url}/twirp/livekit.RoomService/ListRooms`)
    expect([get.status, await get.json()]).toMatchObject([
      404,
      { code: 'bad_route', meta: { twirp_invalid_route: expect.stringMatching(/^GET /) } },
    ])
    const form = await fetch(`${liveKit.url}/twirp/livekit.RoomService/ListRooms`, { method: 'POST', body: 'x' })
    expect(await form.json()).toMatchObject({ code: 'bad_route', msg: expect.stringContaining('unexpected Content-Type') })
  })
})

async function call(method: string, body: object, grant: VideoGrant, to = liveKit) {
  const response = await fetch(`${to.url}/twirp/livekit.RoomService/${method}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await sign(grant)}` },
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function sign(grant: VideoGrant, { secret = key.apiSecret, issuer = key.apiKey, begins = 0, expires = 600 } = {}): Promise<string> {
  const nowS = Math.floor(Date.now() / 1_000)
  return new SignJWT({ video: grant })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setNotBefore(nowS + begins)
    .setExpirationTime(nowS + Math.max(expires, begins + expires))
    .sign(new TextEncoder().encode(secret))
}
