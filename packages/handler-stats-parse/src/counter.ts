import { type AccessLine, parseAccessLine } from './access-line.ts'
import { cutAddress } from './address.ts'
import { asFolders, episodeOf } from './episode.ts'
import type { SkipReason } from './job.ts'
import { createListeners, type Listeners } from './listeners.ts'
import type { DayClock } from './local-day.ts'
import { receivedBytes } from './received.ts'
import type { Classify } from './user-agents/classify.ts'

/** How long a day's salt outlives the day. */
export const SALT_KEPT_MS = 48 * 3_600_000

/** In characters: what tells listeners apart stands well before, and what is longer must not fill the memory. */
const LONGEST_USER_AGENT = 1024

export interface CounterOptions {
  mediaPrefixes: readonly string[]
  /** By path: these are episodes whatever their answer's content type says. */
  episodes: Readonly<Record<string, unknown>>
  clock: DayClock
  /** The database's time: lines of days that ended 48 hours before are too late. */
  now: Date
  classify: Classify
}

export interface Counter {
  /** Takes one line of the log. @returns why it counts nothing, when it does not. */
  count(line: string): SkipReason | undefined
  /** A line that was not even read. */
  skip(reason: SkipReason): void
  readonly lines: number
  readonly counted: number
  readonly skipped: Partial<Record<SkipReason, number>>
  /** The latest time seen, in seconds since 1970. */
  readonly lastSeconds: number | undefined
  readonly listeners: Listeners
  /** What was learnt about the sizes of the episodes' files. */
  readonly files: ReadonlyMap<string, { totalBytes: number; declared: boolean }>
}

interface State {
  lines: number
  counted: number
  skipped: Partial<Record<SkipReason, number>>
  lastSeconds: number | undefined
  listeners: Listeners
  files: Map<string, { totalBytes: number; declared: boolean }>
}

/** Makes the counting of one run: line by line in, listeners and reasons out. It reads nothing and writes nothing. */
export function createCounter(options: CounterOptions): Counter {
  const state: State = { lines: 0, counted: 0, skipped: {}, lastSeconds: undefined, listeners: createListeners(), files: new Map() }
  const judge = createJudge(options, state)
  const skip = (reason: SkipReason) => {
    state.lines++
    state.skipped[reason] = (state.skipped[reason] ?? 0) + 1
  }
  return Object.assign(state, {
    skip,
    count(text: string) {
      const reason = judge(text)
      if (reason === undefined) {
        state.lines++
        state.counted++
      } else skip(reason)
      return reason
    },
  })
}

/** Merges a line into the state, or says why it counts nothing. */
function createJudge(options: CounterOptions, state: State): (text: string) => SkipReason | undefined {
  const folders = asFolders(options.mediaPrefixes)
  const { classify } = options
  return (text) => {
    const line = parseAccessLine(text)
    if (typeof line === 'string') return line
    if (state.lastSeconds === undefined || line.seconds > state.lastSeconds) state.lastSeconds = line.seconds
    if (line.method !== 'GET') return 'method'
    if (line.status !== 200 && line.status !== 206) return 'status'
    const episode = episodeOf(line.uri, folders)
    if (episode === undefined || (isPage(line.contentType) && !Object.hasOwn(options.episodes, episode))) return 'not_media'
    if (line.purpose !== undefined && /\b(?:prefetch|prerender|preview)\b/i.test(line.purpose)) return 'preload'
    const received = receivedBytes(line, state.files.get(episode)?.totalBytes)
    if (typeof received === 'string') return received
    learnSize(state, { episode, line, declaredBytes: received.totalBytes })
    const agent = classify(line.userAgent)
    if (agent.kind === 'bot' || agent.kind === 'watch') return agent.kind
    const day = options.clock.dayOf(line.seconds)
    if (options.clock.endOf(day) + SALT_KEPT_MS <= options.now.getTime()) return 'too_late'
    const address = line.address === undefined ? undefined : cutAddress(line.address)
    if (address === undefined) return 'no_address'
    const userAgent = line.userAgent?.slice(0, LONGEST_USER_AGENT) ?? ''
    state.listeners.add({ day, episode, address, userAgent, app: agent.app, ranges: received.ranges, totalBytes: received.totalBytes })
    return undefined
  }
}

// Cover art, feeds and listings may lie in the same folder; no audio is served as one of these.
function isPage(contentType: string | undefined): boolean {
  return contentType !== undefined && /^(?:text|image)\/|^application\/(?:json|xml|\w+\+xml|xhtml\+xml)\b/i.test(contentType)
}

function learnSize(
  state: State,
  { episode, line, declaredBytes }: { episode: string; line: AccessLine; declaredBytes: number | undefined },
): void {
  const known = state.files.get(episode)
  if (declaredBytes !== undefined) {
    if (known?.totalBytes !== declaredBytes || !known.declared) state.files.set(episode, { totalBytes: declaredBytes, declared: true })
  } else if (line.status === 200 && !known?.declared && (known?.totalBytes ?? 0) < line.size) {
    state.files.set(episode, { totalBytes: line.size, declared: false })
  }
}
