import type { JobsPageData } from '../wire/page-data.ts'

/** What is shown, and how new it is. Begins anew each time `load` gives something else. */
export interface LiveState {
  sources: JobsPageData['sources']
  /** The server's clock, as far as the browser can tell. */
  now: number
  /** How many rows are newer than what is shown. */
  fresh: number
  /** Since when nothing could be read; null: it can. Then actions are off. */
  staleSince: number | null
  /** Why nothing will be read any more: the session or the right is gone. */
  refused: 'NOT_SIGNED_IN' | 'NOT_ALLOWED' | null
  /** Rows that no longer fit what the list asks for. */
  left: ReadonlySet<string>
  /** Whether the reader has stopped it. */
  paused: boolean
  /** While a dialog is open nothing changes behind it. */
  dialogs: number
  /** What the server's clock is ahead of the browser's, in milliseconds. */
  readonly offset: number
}

/** Makes it. */
export function createLiveState(data: () => JobsPageData): LiveState {
  let sources = $derived(data().sources)
  let now = $derived(Date.parse(data().now))
  let fresh = $derived(anew(data(), 0))
  let staleSince = $derived(anew<number | null>(data(), null))
  let refused = $derived(anew<LiveState['refused']>(data(), null))
  let left = $derived(anew<ReadonlySet<string>>(data(), new Set()))
  const offset = $derived(typeof window === 'undefined' ? 0 : Date.parse(data().now) - Date.now())
  let paused = $state(false)
  let dialogs = $state(0)
  return {
    get sources() {
      return sources
    },
    set sources(value) {
      sources = value
    },
    get now() {
      return now
    },
    set now(value) {
      now = value
    },
    get fresh() {
      return fresh
    },
    set fresh(value) {
      fresh = value
    },
    get staleSince() {
      return staleSince
    },
    set staleSince(value) {
      staleSince = value
    },
    get refused() {
      return refused
    },
    set refused(value) {
      refused = value
    },
    get left() {
      return left
    },
    set left(value) {
      left = value
    },
    get paused() {
      return paused
    },
    set paused(value) {
      paused = value
    },
    get dialogs() {
      return dialogs
    },
    set dialogs(value) {
      dialogs = value
    },
    get offset() {
      return offset
    },
  }
}

/** A value that begins anew with each `data`. */
function anew<Value>(_data: JobsPageData, value: Value): Value {
  return value
}
