import { randomBytes } from 'node:crypto'

/** Sessions in the memory of this process: a restart signs everybody out. */
export interface Sessions {
  /** A new session's id: 256 random bits. */
  begin(userId: string): string
  /** Whose session it is; undefined when there is none, or it has run out. */
  userIdOf(id: string | undefined): string | undefined
  end(id: string | undefined): void
  size(): number
}

/** How many sessions there are, and for how long. */
export interface SessionOptions {
  /** Beyond that the oldest one ends. Default 10,000. */
  maxSessions?: number
  /** Default twelve hours. */
  maxAgeMs?: number
  /** Milliseconds that only grow. Default `performance.now`. */
  now?: () => number
}

/** Twelve hours. */
export const SESSION_MS = 12 * 3_600_000

/** Makes an empty set of sessions. */
export function createSessions({
  maxSessions = 10_000,
  maxAgeMs = SESSION_MS,
  now = () => performance.now(),
}: SessionOptions = {}): Sessions {
  // The oldest first: a Map keeps the order in which keys were set.
  const sessions = new Map<string, { userId: string; endsAt: number }>()
  return {
    begin(userId) {
      for (const [id, { endsAt }] of sessions) {
        if (endsAt > now() && sessions.size < maxSessions) break
        sessions.delete(id)
      }
      const id = randomBytes(32).toString('base64url')
      sessions.set(id, { userId, endsAt: now() + maxAgeMs })
      return id
    },
    userIdOf(id) {
      const session = sessions.get(id ?? '')
      return session && session.endsAt > now() ? session.userId : undefined
    },
    end: (id) => void sessions.delete(id ?? ''),
    size: () => sessions.size,
  }
}
