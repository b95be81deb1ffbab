import type { RoomsFailure, RoomsObservation } from '../rooms/room-status.ts'

/** How long the benefit of the doubt lasts. */
export interface GovernorBounds {
  /** LiveKit does not answer: gentle for so long, in milliseconds, then full speed with a warning. Default 15 min. */
  gentleByFailureMs: number
  /** Nothing listens there: so many looks in a row … Default 3. */
  refusals: number
  /** … over so many milliseconds mean that no LiveKit runs, and no room is open. Default 30 s. */
  refusedForMs: number
  /** A failure that is so long ago without a look since says nothing any more, in milliseconds. Default 2 h. */
  forgetAfterMs: number
}

/** What is remembered between two looks. */
export interface GovernorHistory {
  /** The newest look: it counts once, however many ask. */
  last: RoomsObservation | undefined
  /** Since when no look was answered. */
  failingSinceMs: number | undefined
  /** Looks in a row that were refused, and since when. */
  refusals: number
  refusedSinceMs: number
}

/** What a look means. */
export interface Verdict {
  mode: 'full' | 'gentle'
  /** True only when LiveKit has said so: a guess is no reason to put work off. */
  roomIsOpen: boolean
  /** One sentence. */
  reason: string
  /** What the operator should see to; undefined when all is well. */
  warning: string | undefined
}

export const emptyHistory: GovernorHistory = { last: undefined, failingSinceMs: undefined, refusals: 0, refusedSinceMs: 0 }

/** Adds a look to what is remembered; one that is known already, or older than the newest, changes nothing. */
export function remember(history: GovernorHistory, look: RoomsObservation, bounds: GovernorBounds): GovernorHistory {
  const { last } = history
  if (last !== undefined && look.atMs <= last.atMs) return history
  if (look.outcome === 'answered') return { ...emptyHistory, last: look }
  const before = last !== undefined && look.atMs - last.atMs > bounds.forgetAfterMs ? emptyHistory : history
  const refused = look.failure === 'refused'
  return {
    last: look,
    failingSinceMs: before.failingSinceMs ?? look.atMs,
    refusals: refused ? before.refusals + 1 : 0,
    refusedSinceMs: refused && before.refusals > 0 ? before.refusedSinceMs : look.atMs,
  }
}

/** What is remembered means: full speed, or gentle. */
export function weigh(history: GovernorHistory, bounds: GovernorBounds): Verdict {
  const { last } = history
  if (last === undefined) return { mode: 'full', roomIsOpen: false, reason: 'nobody has looked yet', warning: undefined }
  if (last.outcome === 'answered') return weighAnswer(last.status)
  const failingForMs = last.atMs - (history.failingSinceMs ?? last.atMs)
  if (history.refusals >= bounds.refusals && last.atMs - history.refusedSinceMs >= bounds.refusedForMs) {
    return verdict('full', `no LiveKit is running: refused ${history.refusals} times in a row`)
  }
  if (failingForMs >= bounds.gentleByFailureMs) {
    const reason = `LiveKit has not been of use for ${minutes(failingForMs)} min, which is the longest that counts as a room in use`
    return verdict('full', reason, `${reason}: ${last.message}`)
  }
  const reason = `${failures[last.failure]}, so a room may be in use`
  return verdict('gentle', reason, `${reason}: ${last.message}`)
}

const failures: Record<RoomsFailure, string> = {
  refused: 'nothing listens at LiveKit’s address',
  misconfigured: 'LiveKit refuses the worker’s key or address',
  silent: 'LiveKit does not answer as it should',
}

function weighAnswer({ active, activeRooms, rooms }: { active: boolean; activeRooms: number; rooms: number }): Verdict {
  const count = (number: number) => `${number} ${number === 1 ? 'room' : 'rooms'}`
  if (active) return { ...verdict('gentle', `${count(activeRooms)} in use`), roomIsOpen: true }
  return verdict('full', rooms === 0 ? 'no room is open' : `${count(rooms)} open, nobody in it`)
}

function verdict(mode: 'full' | 'gentle', reason: string, warning?: string): Verdict {
  return { mode, roomIsOpen: false, reason, warning }
}

function minutes(ms: number): number {
  return Math.round(ms / 60_000)
}
