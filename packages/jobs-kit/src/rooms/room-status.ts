/** What LiveKit said about its rooms. */
export interface RoomStatus {
  /** Whether people are in a room, or one is being recorded. */
  active: boolean
  /** How many such rooms. */
  activeRooms: number
  /** How many rooms there are, empty ones included: they linger for minutes. */
  rooms: number
}

/**
 * Why there is no answer. `refused`: nothing listens there, or the name leads nowhere. `misconfigured`: it answers, but not this key, or not at this
 * address. `silent`: anything else, such as no answer in time, an error of the server, or a page instead of JSON.
 */
export type RoomsFailure = 'refused' | 'misconfigured' | 'silent'

/** One look at LiveKit. */
export type RoomsObservation = { atMs: number } & (
  | { outcome: 'answered'; status: RoomStatus }
  | { outcome: 'failed'; failure: RoomsFailure; message: string }
)

/** Where it is seen whether somebody is in a meeting. */
export interface Rooms {
  /**
   * Looks, or tells what was seen a few seconds ago; whoever asks meanwhile waits for the same look. A failure is an observation too.
   * @throws only the signal's reason.
   */
  observe(signal: AbortSignal): Promise<RoomsObservation>
}
