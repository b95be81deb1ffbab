import { type Answer, jsonAnswer, textAnswer } from '../server/answer.ts'
import { readBody } from '../server/read-body.ts'
import type { ReceivedRequest } from '../server/received.ts'
import type { StandIn, StandInOptions } from '../server/stand-in.ts'
import { startStandIn } from '../server/start-stand-in.ts'
import { type FieldNames, type LiveKitRoom, participantOnTheWire, roomOnTheWire } from './room.ts'
import { type ApiKey, readToken, type VideoGrant } from './token.ts'

/** Whose tokens are let in, and which rooms there are. */
export interface LiveKitStandInOptions extends StandInOptions, ApiKey {
  /** Rooms that exist at the start; `setRooms` changes them. Default none. */
  rooms?: readonly LiveKitRoom[]
  /** Default snake. */
  fieldNames?: FieldNames
}

/** A request to the RoomService. */
export interface LiveKitRequest extends ReceivedRequest {
  /** As it was received; undefined before. */
  body: string
}

/** A running stand-in for LiveKit. */
export interface LiveKitStandIn extends StandIn<LiveKitRequest> {
  /** From now on these rooms exist. */
  setRooms(rooms: readonly LiveKitRoom[]): void
}

const service = '/twirp/livekit.RoomService/'

/** LiveKit's RoomService as far as a worker asks it: `ListRooms` and `ListParticipants`, with tokens checked. */
export async function startLiveKitStandIn(options: LiveKitStandInOptions): Promise<LiveKitStandIn> {
  let rooms = options.rooms ?? []
  const standIn = await startStandIn<LiveKitRequest>(
    {
      describe: () => 'a stand-in for LiveKit: rooms that were set, no media',
      receive: async (message, request) => {
        request.body = (await readBody(message)).toString('utf8')
      },
      answer: async (request) => answer(request, { ...options, rooms }),
    },
    options,
  )
  return Object.assign(standIn, {
    setRooms: (next: readonly LiveKitRoom[]) => {
      rooms = next
    },
  })
}

function answer(request: LiveKitRequest, options: LiveKitStandInOptions): Answer {
  const method = request.path.startsWith(service) ? request.path.slice(service.length) : ''
  const contentType = request.headers['content-type'] ?? ''
  if (request.method !== 'POST') return badRoute(request, `unsupported method "${request.method}" (only POST is allowed)`)
  if (!/^application\/json\s*(;|$)/.test(contentType)) return badRoute(request, `unexpected Content-Type: "${contentType}"`)
  const grant = readToken(request.headers.authorization, options, Math.floor(Date.now() / 1_000))
  // Before the RPC is looked at, and not in its format.
  if (typeof grant === 'string') return textAnswer(401, grant)
  const body = parse(request.body)
  if (body === undefined) return twirpError(400, 'malformed', 'the json request could not be decoded')
  if (method === 'ListRooms') return listRooms(grant, body, options)
  if (method === 'ListParticipants') return listParticipants(grant, body, options)
  return badRoute(request, `no handler for path "${request.path}"`)
}

function listRooms(grant: VideoGrant, body: { names?: string[] }, { rooms = [], fieldNames = 'snake' }: LiveKitStandInOptions): Answer {
  if (!grant.roomList) return permissionDenied()
  const wanted = rooms.filter(({ name }) => !body.names?.length || body.names.includes(name))
  return jsonAnswer(200, wanted.length === 0 ? {} : { rooms: wanted.map((room) => roomOnTheWire(room, fieldNames)) })
}

function listParticipants(grant: VideoGrant, body: { room?: string }, { rooms = [], fieldNames = 'snake' }: LiveKitStandInOptions): Answer {
  if (!grant.roomAdmin || grant.room !== body.room) return permissionDenied()
  const room = rooms.find(({ name }) => name === body.room)
  if (room === undefined) return twirpError(404, 'not_found', 'requested room does not exist')
  const participants = (room.participants ?? []).map((participant) => participantOnTheWire(participant, fieldNames))
  return jsonAnswer(200, participants.length === 0 ? {} : { participants })
}

function permissionDenied(): Answer {
  return twirpError(401, 'unauthenticated', 'permissions denied')
}

function badRoute(request: LiveKitRequest, msg: string): Answer {
  return jsonAnswer(404, { code: 'bad_route', msg, meta: { twirp_invalid_route: `${request.method} ${request.path}` } })
}

function twirpError(status: number, code: string, msg: string): Answer {
  return jsonAnswer(status, { code, msg })
}

function parse(text: string): { names?: string[]; room?: string } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
