import { createHttpClient } from '../http/create-http-client.ts'
import { askLiveKit, type LiveKitAccess } from './ask-livekit.ts'
import { classifyFailure } from './classify-failure.ts'
import type { Rooms, RoomsObservation } from './room-status.ts'
import { shareCall } from './share-call.ts'

/** Which LiveKit to look at. */
export interface RoomsOptions {
  /** Address of the server: https, http, wss or ws. */
  url: URL
  /** Who signs the tokens. */
  apiKey: string
  /** What they are signed with. */
  apiSecret: string
  /** For one look, in milliseconds. Default 2,000. */
  timeoutMs?: number
  /** How long what was seen is good enough, in milliseconds. Default 5,000. */
  cacheMs?: number
  /** A clock that only runs forward, in milliseconds, for tests. Default `performance.now`. */
  nowMs?: () => number
}

/**
 * Looks at LiveKit's rooms: one look at a time for all who ask, good for some seconds, and over within its time limit whatever the server
 * does. Its keys may list rooms and look into them; nothing is changed.
 */
export function createRooms(options: RoomsOptions): Rooms {
  const { cacheMs = 5_000, nowMs = () => performance.now() } = options
  const access: LiveKitAccess = { ...options, client: createHttpClient({ service: 'livekit' }), timeoutMs: options.timeoutMs ?? 2_000 }
  let last: RoomsObservation | undefined
  const look = shareCall(async (signal) => {
    last = await observe(access, nowMs, signal)
    return last
  })
  return Object.freeze({
    observe: async (signal: AbortSignal) => {
      signal.throwIfAborted()
      return last !== undefined && nowMs() - last.atMs < cacheMs ? last : look(signal)
    },
  })
}

async function observe(access: LiveKitAccess, nowMs: () => number, signal: AbortSignal): Promise<RoomsObservation> {
  try {
    const status = await askLiveKit(access, signal)
    return { outcome: 'answered', status, atMs: nowMs() }
  } catch (error) {
    // Nobody wants it any more: not an observation.
    signal.throwIfAborted()
    return {
      outcome: 'failed',
      failure: classifyFailure(error),
      message: error instanceof Error ? error.message : String(error),
      atMs: nowMs(),
    }
  }
}
