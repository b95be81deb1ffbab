/** A room as the stand-in is told of it. What is left out is zero, and on the wire absent. */
export interface LiveKitRoom {
  name: string
  /** What `ListRooms` says, which may lag behind or be wrong; default: as many as there are participants. */
  numParticipants?: number
  numPublishers?: number
  activeRecording?: boolean
  /** Seconds since 1970. */
  creationTimeS?: number
  participants?: readonly LiveKitParticipant[]
}

/** Somebody, or something, in a room. */
export interface LiveKitParticipant {
  identity: string
  /** Default STANDARD. Agents and recorders do not count as participants of a room. */
  kind?: 'STANDARD' | 'INGRESS' | 'EGRESS' | 'SIP' | 'AGENT'
  /** Default ACTIVE. */
  state?: 'JOINING' | 'JOINED' | 'ACTIVE' | 'DISCONNECTED'
  isPublisher?: boolean
}

/** How fields are spelt on the wire: both are proto-JSON, and LiveKit's versions differ. */
export type FieldNames = 'snake' | 'camel'

/** A room as `ListRooms` sends it: fields that are zero are absent, whole numbers of 64 bits are text. */
export function roomOnTheWire(room: LiveKitRoom, names: FieldNames): object {
  const fields = {
    sid: `RM_${room.name}`,
    name: room.name,
    empty_timeout: 300,
    departure_timeout: 20,
    creation_time: String(room.creationTimeS ?? 1_780_300_000),
    num_participants: room.numParticipants ?? countParticipants(room.participants ?? []),
    num_publishers: room.numPublishers ?? 0,
    active_recording: room.activeRecording ?? false,
  }
  return spell(fields, names)
}

/** A participant as `ListParticipants` sends it. */
export function participantOnTheWire(participant: LiveKitParticipant, names: FieldNames): object {
  const fields = {
    sid: `PA_${participant.identity}`,
    identity: participant.identity,
    state: participant.state ?? 'ACTIVE',
    joined_at: '1780300001',
    // Zero values of an enum are absent like any other.
    kind: participant.kind === 'STANDARD' ? undefined : participant.kind,
    is_publisher: participant.isPublisher ?? false,
  }
  return spell(fields, names)
}

function countParticipants(participants: readonly LiveKitParticipant[]): number {
  return participants.filter(({ kind }) => kind !== 'AGENT' && kind !== 'EGRESS').length
}

function spell(fields: Record<string, unknown>, names: FieldNames): object {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== 0 && value !== false && value !== '')
  if (names === 'snake') return Object.fromEntries(present)
  return Object.fromEntries(present.map(([name, value]) => [name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), value]))
}
