import { afterEach, expect, test, vi } from 'vitest'
import { job, later } from '../test-rows.ts'
import type { JobsPageData } from '../wire/page-data.ts'
import type { LiveState } from './live-state.svelte.ts'
import { createReading } from './reading.ts'

afterEach(() => void vi.unstubAllGlobals())

const rows = (count: number) => Array.from({ length: count }, (_, n) => job({ id: `job-${n}`, created_at: later(count - n) }))
const json = (body: unknown) => Response.json(body, { headers: { etag: 'W/"new"' } })

/** A list that is shown, and endpoints that answer from now on. */
function look(shown: number, answers: Readonly<Record<string, () => Response>>) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const [, answer] = Object.entries(answers).find(([part]) => path.startsWith(part)) ?? []
    return answer?.() ?? new Response(null, { status: 304 })
  })
  const body = { jobs: rows(shown), next_cursor: 'more' }
  const sources = { jobs: { path: '/jobs?', etag: null, body, problem: null } }
  const data = { screen: 'jobs', base: '/admin', now: later(0), sources } as unknown as JobsPageData
  const state = { sources, left: new Set<string>(), fresh: 0, staleSince: null, refused: null, offset: 0 } as unknown as LiveState
  const shownIds = () => state.sources.jobs?.body?.jobs.map(({ id }) => id)
  return { poll: createReading(() => data, state), state, data, shownIds, asked }
}

test('who has lost access to one of several collections sees none of its rows after the next poll', async () => {
  const left = rows(200).filter((_, n) => n % 2 === 0)
  const { poll, state, shownIds, asked } = look(200, {
    '/jobs?': () => json({ jobs: left.slice(0, 50), next_cursor: 'more' }),
    '/admin/rows': () => json({ jobs: left.slice(50) }),
  })
  expect(await poll()).toBe(true)
  expect(shownIds()).toEqual(left.map(({ id }) => id))
  expect([...state.left].filter((id) => !shownIds()?.includes(id))).toEqual([])
  expect(asked).toHaveLength(2)
})

test('rows that fit no more show what they are now, also while the list stays the same', async () => {
  let [list, progress] = [json({ jobs: rows(3).slice(1), next_cursor: null }), 0.2]
  const { poll, state } = look(3, {
    '/jobs?': () => list,
    '/admin/rows': () => json({ jobs: [job({ id: 'job-0', created_at: later(3), status: 'running', progress })] }),
  })
  await poll()
  list = new Response(null, { status: 304 })
  progress = 0.9
  await poll()
  expect(state.sources.jobs?.body?.jobs[0]).toMatchObject({ id: 'job-0', status: 'running', progress: 0.9 })
  expect([...state.left]).toEqual(['job-0'])
})

test('where they cannot be read there is no contact, and nothing is taken away', async () => {
  const { poll, state, shownIds } = look(3, {
    '/jobs?': () => json({ jobs: rows(3).slice(1), next_cursor: null }),
    '/admin/rows': () => new Response(null, { status: 503 }),
  })
  expect(await poll()).toBe(false)
  expect(shownIds()).toHaveLength(3)
  expect(state.staleSince).toBe(Date.parse(later(0)))
})

test('a page that was loaded without a database loads anew once there is one, and only then', async () => {
  const { state, data } = look(0, { '/jobs?': () => answer })
  const problem = { status: 503, code: 'DATABASE_AWAY', detail: '' }
  data.sources = { jobs: { path: '/jobs?', etag: null, body: null, problem } }
  state.sources = data.sources
  const reload = vi.fn(async () => {})
  const poll = createReading(() => data, state, reload)
  let answer = new Response(null, { status: 503 })
  expect([await poll(), reload.mock.calls.length]).toEqual([false, 0])
  answer = json({ jobs: rows(2), next_cursor: null })
  expect([await poll(), reload.mock.calls.length]).toEqual([true, 1])
  expect([state.staleSince, state.sources.jobs?.problem]).toEqual([null, null])
})

test.each([
  ['the same', () => new Response(null, { status: 304 }), 0],
  ['others', () => json({ collections: [], total: 0 }), 1],
])('where the reader’s collections are %s, everything is loaded anew or nothing', async (_name, answer, reloads) => {
  const { state, data, asked } = look(1, { '/collections': answer })
  const body = { collections: [{ id: 'one', title: 'One', may_act: true }], total: 1 }
  data.sources = { ...data.sources, collections: { path: '/collections', etag: 'W/"old"', body, problem: null } }
  state.sources = data.sources
  const reload = vi.fn(async () => {})
  expect(await createReading(() => data, state, reload)()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(reloads)
  expect(asked).toEqual(reloads > 0 ? ['/collections'] : ['/collections', '/jobs?'])
})

test('without contact nothing else is asked, and what was said of collections stays', async () => {
  const { state, data, asked } = look(1, { '/collections': () => new Response(null, { status: 503 }) })
  state.sources = { ...data.sources, collections: { path: '/collections', etag: null, body: { collections: [], total: 1 }, problem: null } }
  expect(await createReading(() => data, state)()).toBe(false)
  expect([asked, state.staleSince === null, state.sources.collections?.body?.total]).toEqual([['/collections'], false, 1])
})
