import { z } from 'zod'

/** Small whole numbers; a version that writes them as text is understood too. Absent means zero. */
const count = z.coerce.number().nonnegative().catch(0).default(0)
/** Seconds since 1970, as text; only compared with each other. */
const time = z.coerce.number().catch(0).default(0)

const room = z.looseObject({
  name: z.string().default(''),
  num_participants: count,
  numParticipants: count,
  num_publishers: count,
  numPublishers: count,
  active_recording: z.boolean().default(false),
  activeRecording: z.boolean().default(false),
  creation_time: time,
  creationTime: time,
})

const participant = z.looseObject({ kind: z.string().default('STANDARD'), state: z.string().default('JOINING') })

const roomsAnswer = z.object({ rooms: z.array(room).default([]) })
const participantsAnswer = z.object({ participants: z.array(participant).default([]) })

/** A room as `ListRooms` sees it. */
export interface ListedRoom {
  name: string
  /** By the room's own counts, which lag some seconds behind. */
  active: boolean
  createdAtS: number
}

/** Reads an answer of `ListRooms`; undefined when it is none. Fields come in snake or camel case, zeros are absent. */
export function readRooms(answer: unknown): ListedRoom[] | undefined {
  return roomsAnswer.safeParse(answer).data?.rooms.map((listed) => ({
    name: listed.name,
    active:
      Math.max(listed.num_participants, listed.numParticipants, listed.num_publishers, listed.numPublishers) > 0 ||
      listed.active_recording ||
      listed.activeRecording,
    createdAtS: Math.max(listed.creation_time, listed.creationTime),
  }))
}

/** Whether an answer of `ListParticipants` has somebody in it: not an agent alone, and not who has gone. A recorder counts: it records somebody. */
export function hasParticipants(answer: unknown): boolean | undefined {
  return participantsAnswer.safeParse(answer).data?.participants.some(({ kind, state }) => kind !== 'AGENT' && state !== 'DISCONNECTED')
}
