import type { HttpClient } from '../http/http-client.ts'
import { isUpstreamError, UpstreamError } from '../http/upstream-error.ts'
import { hasParticipants, type ListedRoom, readRooms } from './room-answers.ts'
import type { RoomStatus } from './room-status.ts'
import { signToken, type VideoGrant } from './sign-token.ts'

/** Which LiveKit, and how to be let in. */
export interface LiveKitAccess {
  client: HttpClient
  /** Address of the server: https, http, wss or ws. */
  url: URL
  apiKey: string
  apiSecret: string
  /** For the whole look, in milliseconds. */
  timeoutMs: number
}

/** So many rooms that say they are empty are looked into; the newest, where somebody may just have come in. */
const maxLookedInto = 10

/**
 * Asks for the rooms, and where none says that somebody is there, looks into them: their counts lag up to five seconds behind, and
 * have been wrong in some versions.
 * @throws UpstreamError
 */
export async function askLiveKit(access: LiveKitAccess, signal: AbortSignal): Promise<RoomStatus> {
  const deadlineMs = performance.now() + access.timeoutMs
  const rooms = readRooms(await call(access, 'ListRooms', { roomList: true }, deadlineMs, signal))
  if (rooms === undefined) throw notTheAnswer(access, 'ListRooms')
  const counted = rooms.filter(({ active }) => active).length
  const activeRooms = counted > 0 ? counted : await lookInto(access, rooms, deadlineMs, signal)
  return { active: activeRooms > 0, activeRooms, rooms: rooms.length }
}

async function lookInto(access: LiveKitAccess, rooms: readonly ListedRoom[], deadlineMs: number, signal: AbortSignal): Promise<number> {
  const newest = rooms.toSorted((a, b) => b.createdAtS - a.createdAtS).slice(0, maxLookedInto)
  const found = await Promise.all(newest.map(({ name }) => isUsed(access, name, deadlineMs, signal)))
  return found.filter(Boolean).length
}

async function isUsed(access: LiveKitAccess, room: string, deadlineMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    const used = hasParticipants(await call(access, 'ListParticipants', { roomAdmin: true, room }, deadlineMs, signal))
    if (used === undefined) throw notTheAnswer(access, 'ListParticipants')
    return used
  } catch (error) {
    // It has been closed meanwhile.
    if (isUpstreamError(error, 404)) return false
    throw error
  }
}

async function call(
  { client, url, apiKey, apiSecret }: LiveKitAccess,
  method: 'ListRooms' | 'ListParticipants',
  grant: VideoGrant,
  ...[deadlineMs, signal]: [number, AbortSignal]
): Promise<unknown> {
  const response = await client.request({
    method: 'POST',
    url: methodUrl(url, method),
    headers: { authorization: `Bearer ${await signToken(apiKey, apiSecret, grant)}` },
    json: 'room' in grant ? { room: grant.room } : {},
    timeoutMs: Math.max(100, Math.round(deadlineMs - performance.now())),
    signal,
  })
  return response.json()
}

/** A browser reaches LiveKit by ws or wss; its API is at the same place by http or https. */
function methodUrl(url: URL, method: string): URL {
  const http = new URL(url.href.replace(/^ws/, 'http'))
  return new URL(`${http.pathname.replace(/\/*$/, '')}/twirp/livekit.RoomService/${method}`, http)
}

function notTheAnswer({ client, url }: LiveKitAccess, method: string): UpstreamError {
  const message = `${client.service}: ${method} was answered with JSON that is none of LiveKit’s. Is the address right?`
  return new UpstreamError('UPSTREAM_BODY_INVALID', message, {
    service: client.service,
    method: 'POST',
    url: methodUrl(url, method).origin,
    retryable: true,
  })
}
