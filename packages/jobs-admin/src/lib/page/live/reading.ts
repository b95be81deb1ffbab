import type { JobBody, JobRow, JobsBody } from '../wire/bodies.ts'
import type { JobsPageData, SourceName } from '../wire/page-data.ts'
import { type Fetched, fetchSource } from './fetch-source.ts'
import type { LiveState } from './live-state.svelte.ts'
import { merged } from './merge-source.ts'

/** Which answers each screen reads again, in this order. */
const polled: Readonly<Record<string, readonly SourceName[]>> = {
  overview: ['counts', 'workers', 'pauses', 'activity'],
  jobs: ['jobs', 'counts', 'workers'],
  job: ['job', 'explain'],
  errors: ['errors'],
  schedules: ['schedules'],
  workers: ['workers'],
  audit: ['audit'],
  pauses: ['pauses'],
  bulk: ['bulk'],
}
/** Not each time: what moves slowly, and after how many milliseconds it is asked again. */
const slow: Partial<Record<SourceName, number>> = { activity: 30_000 }
/** So many rows that fit the list no more are read by themselves each time, in turn. */
const mostLeft = 10

/** Reads what is shown once more, one request after the other. The function it gives says whether that went well. */
export function createReading(data: () => JobsPageData, state: LiveState): () => Promise<boolean> {
  let lastReadAt = 0
  /** When each path was asked last. */
  const askedAt = new Map<string, number>()
  let turn = 0

  function take(name: SourceName, fetched: Fetched): boolean {
    if (fetched.kind === 'away') {
      state.staleSince ??= lastReadAt === 0 ? Date.parse(data().now) : lastReadAt + state.offset
      return false
    }
    if (fetched.kind === 'refused') {
      state.refused = fetched.code
      state.sources = {}
    }
    if (fetched.kind === 'new') put(state, name, fetched)
    return true
  }

  return async () => {
    const asked = data()
    for (const name of polled[asked.screen] ?? []) {
      const source = state.sources[name]
      if (!source || Date.now() - (askedAt.get(source.path) ?? 0) < (slow[name] ?? 0)) continue
      askedAt.set(source.path, Date.now())
      const fetched = await fetchSource(source)
      // Somebody has gone on to another screen.
      if (asked !== data()) return true
      if (!take(name, fetched)) return false
    }
    await followResult({ asked, data, state, take })
    await followLeft({ asked, data, state, turn: turn++ })
    lastReadAt = Date.now()
    state.staleSince = null
    return true
  }
}

function put(state: LiveState, name: SourceName, { body, etag, problem }: Extract<Fetched, { kind: 'new' }>): void {
  const before = state.sources[name]
  const result = merged(name, before?.body ?? null, body)
  if (problem === null) {
    if (result.fresh !== undefined) state.fresh = result.fresh
    if (result.left !== undefined) state.left = new Set(result.left)
  }
  state.sources = { ...state.sources, [name]: { ...before, body: problem ? null : result.body, etag, problem } }
}

/** What a job came to is read when it has finished, and not again: it may be large, and is what it is. */
async function followResult({
  asked,
  data,
  state,
  take,
}: Following & { take: (name: SourceName, fetched: Fetched) => boolean }): Promise<void> {
  const { job, result } = state.sources
  const row = job?.body?.job
  if (!result || result.problem || row?.status !== 'completed' || result.body?.run === row.run) return
  const fetched = await fetchSource(result)
  if (asked === data()) take('result', fetched)
}

interface Following {
  asked: JobsPageData
  data: () => JobsPageData
  state: LiveState
}

/** Rows that fit the list no more are read by themselves, a few at a time, so that they do not show what they were. */
async function followLeft({ asked, data, state, turn }: Following & { turn: number }): Promise<void> {
  const ids = [...state.left]
  const first = turn * mostLeft
  const chosen = ids.length <= mostLeft ? ids : Array.from({ length: mostLeft }, (_, index) => ids[(first + index) % ids.length] as string)
  for (const id of chosen) {
    const fetched = await fetchSource({ path: `${asked.base}/${id}`, etag: null })
    if (asked !== data()) return
    if (fetched.kind !== 'new') continue
    if (fetched.problem) dropRow(state, id)
    else patchRow(state, (fetched.body as JobBody).job)
  }
}

/** It was deleted, or the reader has lost the right to see it. */
function dropRow(state: LiveState, id: string): void {
  const list = state.sources.jobs
  if (!list?.body) return
  state.left = new Set([...state.left].filter((other) => other !== id))
  state.sources = { ...state.sources, jobs: { ...list, body: { ...list.body, jobs: list.body.jobs.filter((job) => job.id !== id) } } }
}

function patchRow(state: LiveState, { payload, result, masked, cut, may_view_raw, ...row }: JobBody['job']): void {
  const list = state.sources.jobs
  const body = list?.body as JobsBody | undefined
  if (!list || !body) return
  const jobs = body.jobs.map((old): JobRow => (old.id === row.id ? row : old))
  state.sources = { ...state.sources, jobs: { ...list, body: { ...body, jobs } } }
}
