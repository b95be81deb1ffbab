import type { JobBody, JobRow, JobsBody } from '../wire/bodies.ts'
import type { JobsPageData, SourceName } from '../wire/page-data.ts'
import { type Fetched, fetchSource } from './fetch-source.ts'
import { merged } from './merge-source.ts'
import { createPoller, type Poller } from './poller.ts'

/** The newest answers, and how new they are. */
export interface Live {
  readonly sources: JobsPageData['sources']
  /** The server's clock, as far as the browser can tell. */
  readonly now: number
  /** How many rows are newer than what is shown. */
  readonly fresh: number
  /** Since when nothing could be read; null: it can. Then actions are off. */
  readonly staleSince: number | null
  /** Why nothing will be read any more: the session or the right is gone. */
  readonly refused: 'NOT_SIGNED_IN' | 'NOT_ALLOWED' | null
  /** Rows that no longer fit what the list asks for. */
  readonly left: ReadonlySet<string>
  /** Whether the reader has stopped it. */
  paused: boolean
  /** While a dialog is open nothing changes behind it. */
  dialogs: number
  /** Begins; returns how to end it. */
  run(): () => void
  soon(): void
}

/** Which answers each screen reads again. */
const polled: Readonly<Record<string, readonly SourceName[]>> = {
  overview: ['counts', 'workers', 'pauses'],
  jobs: ['jobs', 'counts', 'workers'],
  job: ['job', 'explain'],
  errors: ['errors'],
  schedules: ['schedules'],
  workers: ['workers'],
  audit: ['audit'],
  pauses: ['pauses'],
  bulk: ['bulk'],
}

/** Keeps a screen's answers new. What `load` gave is where it begins, also each time that gives anew. */
export function createLive(data: () => JobsPageData): Live {
  let sources = $derived(data().sources)
  let staleSince = $derived.by(() => resetWith<number | null>(data(), null))
  let refused = $derived.by(() => resetWith<Live['refused']>(data(), null))
  let fresh = $derived.by(() => resetWith(data(), 0))
  let left = $derived.by<ReadonlySet<string>>(() => resetWith(data(), new Set()))
  const offset = $derived(typeof window === 'undefined' ? 0 : Date.parse(data().now) - Date.now())
  let now = $derived(Date.parse(data().now))
  let paused = $state(false)
  let dialogs = $state(0)
  let lastReadAt = 0
  let poller: Poller | undefined

  const isHeld = () =>
    paused || refused !== null || dialogs > 0 || document.visibilityState === 'hidden' || navigator.onLine === false || hasSelection()

  async function poll(): Promise<boolean> {
    const asked = data()
    for (const name of polled[asked.screen] ?? []) {
      const source = sources[name]
      if (!source) continue
      const fetched = await fetchSource(source)
      if (asked !== data()) return true
      if (!take(name, fetched)) return false
    }
    await followLeft(asked)
    lastReadAt = Date.now()
    staleSince = null
    return true
  }

  function take(name: SourceName, fetched: Fetched): boolean {
    if (fetched.kind === 'away') {
      staleSince ??= (lastReadAt || Date.now()) + offset
      return false
    }
    if (fetched.kind === 'refused') refused = fetched.code
    if (fetched.kind === 'same' || fetched.kind === 'refused') return true
    const before = sources[name]
    const result = merged(name, before?.body ?? null, fetched.body)
    if (result.fresh !== undefined) fresh = result.fresh
    if (result.left !== undefined) left = new Set(result.left)
    const { etag, problem } = fetched
    sources = { ...sources, [name]: { ...before, body: problem ? null : result.body, etag, problem } }
    return true
  }

  /** Rows that fit the list no more are read by themselves, a few at a time, so that they do not show what they were. */
  async function followLeft(asked: JobsPageData): Promise<void> {
    const list = sources.jobs
    if (!list?.body) return
    for (const id of [...left].slice(0, 5)) {
      const fetched = await fetchSource({ path: `${asked.base}/${id}`, etag: null })
      if (asked !== data()) return
      if (fetched.kind === 'new' && !fetched.problem) patchRow((fetched.body as JobBody).job)
    }
  }

  function patchRow({ payload, result, masked, cut, may_view_raw, ...row }: JobBody['job']): void {
    const body = sources.jobs?.body as JobsBody
    const jobs = body.jobs.map((old): JobRow => (old.id === row.id ? row : old))
    if (sources.jobs) sources = { ...sources, jobs: { ...sources.jobs, body: { ...body, jobs } } }
  }

  function run(): () => void {
    poller = createPoller({ poll, isHeld })
    lastReadAt = Date.now()
    const clock = setInterval(() => {
      if (document.visibilityState === 'visible') now = Date.now() + offset
    }, 1_000)
    const wake = () => poller?.wake()
    document.addEventListener('visibilitychange', wake)
    window.addEventListener('online', wake)
    poller.start()
    return () => {
      poller?.stop()
      clearInterval(clock)
      document.removeEventListener('visibilitychange', wake)
      window.removeEventListener('online', wake)
    }
  }

  return {
    get sources() {
      return sources
    },
    get now() {
      return now
    },
    get fresh() {
      return fresh
    },
    get staleSince() {
      return staleSince
    },
    get refused() {
      return refused
    },
    get left() {
      return left
    },
    get paused() {
      return paused
    },
    set paused(value) {
      paused = value
      if (!value) poller?.wake()
    },
    get dialogs() {
      return dialogs
    },
    set dialogs(value) {
      dialogs = value
    },
    run,
    soon: () => poller?.soon(),
  }
}

/** A value that begins anew with each `data`. */
function resetWith<Value>(_data: JobsPageData, value: Value): Value {
  return value
}

function hasSelection(): boolean {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.toString() !== ''
}
