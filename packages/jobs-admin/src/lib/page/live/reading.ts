import type { JobsBody } from '../wire/bodies.ts'
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

/** Reads what is shown once more, one request after the other. The function it gives says whether that went well. */
export function createReading(
  data: () => JobsPageData,
  state: LiveState,
  reload: () => Promise<unknown> = async () => {},
): () => Promise<boolean> {
  let lastReadAt = 0
  /** Of the list: also while its answer is the same. */
  let missing: readonly string[] = []
  let shown: JobsPageData | undefined
  /** When each path was asked last. */
  const askedAt = new Map<string, number>()

  function take(name: SourceName, fetched: Fetched): boolean {
    if (fetched.kind === 'away') {
      state.staleSince ??= lastReadAt === 0 ? Date.parse(data().now) : lastReadAt + state.offset
      return false
    }
    if (fetched.kind === 'refused') {
      state.refused = fetched.code
      state.sources = {}
    }
    if (fetched.kind === 'new') missing = put(state, name, fetched) ?? missing
    return true
  }

  return async () => {
    const asked = data()
    if (asked !== shown) missing = []
    shown = asked
    const names = polled[asked.screen] ?? []
    if (names.length > 0) {
      const access = await askAccess(state)
      if (asked !== data()) return true
      if (access === 'changed') {
        // Everything may be another: what is shown, offered and counted.
        await reload()
        return true
      }
      if (access && !take('collections', access)) return false
    }
    for (const name of names) {
      const source = state.sources[name]
      if (!source || Date.now() - (askedAt.get(source.path) ?? 0) < (slow[name] ?? 0)) continue
      askedAt.set(source.path, Date.now())
      const fetched = await fetchSource(source)
      // Somebody has gone on to another screen.
      if (asked !== data()) return true
      if (!take(name, fetched)) return false
    }
    await followResult({ asked, data, state, take })
    if (asked !== data()) return true
    if (!(await followMissing({ asked, data, state, missing }))) return take('jobs', { kind: 'away' })
    if (asked !== data()) return true
    lastReadAt = Date.now()
    state.staleSince = null
    // What is not asked for again, as the collections, was missing when it was loaded.
    if (Object.values(asked.sources).some((source) => source.problem?.code === 'DATABASE_AWAY')) await reload()
    return true
  }
}

/** Whether the reader still sees the same collections, before anything is said of what is in them. */
async function askAccess({ sources: { collections } }: LiveState): Promise<Fetched | 'changed' | undefined> {
  if (!collections) return undefined
  const fetched = await fetchSource(collections)
  return fetched.kind === 'new' && fetched.problem === null ? 'changed' : fetched
}

/** Puts an answer into what is shown; gives which rows of the list it does not have. */
function put(
  state: LiveState,
  name: SourceName,
  { body, etag, problem }: Extract<Fetched, { kind: 'new' }>,
): readonly string[] | undefined {
  const before = state.sources[name]
  const result = merged(name, before?.body ?? null, body)
  if (problem === null) {
    if (result.fresh !== undefined) state.fresh = result.fresh
    if (result.left !== undefined) state.left = new Set(result.left)
  }
  state.sources = { ...state.sources, [name]: { ...before, body: problem ? null : result.body, etag, problem } }
  return name === 'jobs' ? (problem ? [] : result.missing) : undefined
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

/** Rows that the newest answer does not have are read by themselves, all at once: they must not show what they were, nor be there for who may not see them any more. */
async function followMissing({ asked, data, state, missing }: Following & { missing: readonly string[] }): Promise<boolean> {
  if (missing.length === 0) return true
  const fetched = await fetchSource({ path: `${asked.base}/rows?ids=${missing.join(',')}`, etag: null })
  if (asked !== data()) return true
  const list = state.sources.jobs
  if (fetched.kind !== 'new' || fetched.problem || !list?.body) return fetched.kind !== 'away'
  const found = new Map((fetched.body as Pick<JobsBody, 'jobs'>).jobs.map((job) => [job.id, job]))
  const isGone = (id: string) => missing.includes(id) && !found.has(id)
  state.left = new Set([...state.left].filter((id) => !isGone(id)))
  const jobs = list.body.jobs.filter(({ id }) => !isGone(id)).map((job) => found.get(job.id) ?? job)
  state.sources = { ...state.sources, jobs: { ...list, body: { ...list.body, jobs } } }
  return true
}

interface Following {
  asked: JobsPageData
  data: () => JobsPageData
  state: LiveState
}
