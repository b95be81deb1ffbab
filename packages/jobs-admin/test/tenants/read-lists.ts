import type { TestUser } from '../support.ts'
import { ask, expectSame, type Fuzz } from './ask.ts'
import { types } from './build-world.ts'
import { groupOf, type ModelJob, mayAct, maySee, titleOf, visibleJobs, type World } from './model.ts'
import type { Random } from './random.ts'

/** One page with any filter, any cursor, of whomever's page it came from, and any offset. */
export async function readPage(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { random, world } = fuzz
  const filter = randomFilter(world, random)
  const limit = 1 + random.int(40)
  const offset = random.chance(0.2) ? random.int(30) : 0
  const cursor = random.chance(0.4) && world.cursors.length > 0 ? random.pick(world.cursors) : undefined
  const query = new URLSearchParams([...filter.query, ['limit', String(limit)], ['offset', String(offset)]])
  if (cursor !== undefined) query.set('cursor', cursor)
  const { status, body } = await ask(fuzz, { user, path: `?${query}` })
  // One that is asked for by its id stands on the first page alone.
  const asked = cursor === undefined ? undefined : filter.query.find(([name]) => name === 'search')?.[1]
  const all = visibleJobs(world, user)
    .filter((job) => filter.fits(job) && job.id !== asked)
    .filter(after(cursor))
  expectSame(fuzz, 'status', [status, 200])
  if (status !== 200) return
  expectSame(fuzz, 'page', [body.jobs?.map(shownOf), all.slice(offset, offset + limit).map((job) => expectedOf(world, job))])
  expectMayAct(fuzz, user, body.jobs)
  expectSame(fuzz, 'goes on', [body.next_cursor !== null, all.length > offset + limit])
  if (typeof body.next_cursor === 'string') world.cursors = [body.next_cursor, ...world.cursors].slice(0, 200)
}

/** From the first page to the last: each job once. */
export async function readAllPages(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { random, world } = fuzz
  const filter = randomFilter(world, random)
  const limit = 20 + random.int(100)
  const ids: string[] = []
  for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 30; pages++) {
    const query = new URLSearchParams([...filter.query, ['limit', String(limit)], ['cursor', cursor]])
    const { body } = await ask(fuzz, { user, path: `?${query}` })
    ids.push(...(body.jobs ?? []).map(({ id }: { id: string }) => id))
    cursor = body.next_cursor ?? null
  }
  expectSame(fuzz, 'all pages', [
    ids,
    visibleJobs(world, user)
      .filter(filter.fits)
      .map(({ id }) => id),
  ])
}

export async function readErrorGroups(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { body } = await ask(fuzz, { user, path: '/errors' })
  const groups = Map.groupBy(
    visibleJobs(fuzz.world, user).filter(({ status }) => status === 'error'),
    (job) => `${groupOf(job)} ${job.type}`,
  )
  const expected = [...groups].map(([name, jobs]) => [name, jobs.length, new Set(jobs.map(({ collection }) => collection)).size].join(' '))
  const got = body.groups.map((group: Record<string, string>) => [group.error_group, group.type, group.jobs, group.collections].join(' '))
  expectSame(fuzz, 'error groups', [got.toSorted(), expected.toSorted()])
}

/** After a count of this moment. */
export async function readCounts(fuzz: Fuzz, user: TestUser): Promise<void> {
  await fuzz.admin.database.query(`update job_count_rounds set next_at = '-infinity', counted_at = null`)
  const { body } = await ask(fuzz, { user, path: '/counts' })
  const jobs = visibleJobs(fuzz.world, user)
  const count = (some: ModelJob[]) =>
    [...Map.groupBy(some, ({ status }) => status)].map(([status, list]) => `${status} ${list.length}`).toSorted()
  const cells = (statuses: Record<string, { jobs: number }>) =>
    Object.entries(statuses)
      .map(([status, cell]) => `${status} ${cell.jobs}`)
      .toSorted()
  expectSame(fuzz, 'statuses', [cells(body.statuses), count(jobs)])
  const expected = [...Map.groupBy(jobs, ({ type }) => type)].map(([type, some]) => [type, ...count(some)].join(' '))
  const got = body.types.map((one: { type: string; statuses: Record<string, { jobs: number }> }) =>
    [one.type, ...cells(one.statuses)].join(' '),
  )
  expectSame(fuzz, 'types', [got.toSorted(), expected.toSorted()])
}

/** By the hour: what is of the minute may have gone out of its half hour. */
export async function readActivity(fuzz: Fuzz, user: TestUser): Promise<void> {
  const { body } = await ask(fuzz, { user, path: '/activity?span=hour' })
  const visible = fuzz.world.ended.filter(({ collection }) => maySee(fuzz.world, user, collection))
  const expected = [...Map.groupBy(visible, ({ type }) => type)].map(
    ([type, some]) => `${type} ${some.reduce((sum, { jobs }) => sum + jobs, 0)}`,
  )
  const ended = body.types.map(
    ({ type, completed }: { type: string; completed: number[] }) => `${type} ${completed.reduce((sum, n) => sum + n, 0)}`,
  )
  const ran = body.durations.map(({ type, run }: { type: string; run: { jobs: number } }) => `${type} ${run.jobs}`)
  expectSame(fuzz, 'ended', [ended.toSorted(), expected.toSorted()])
  expectSame(fuzz, 'ran', [ran.toSorted(), expected.toSorted()])
}

interface Filter {
  query: [string, string][]
  fits: (job: ModelJob) => boolean
}

function randomFilter(world: World, random: Random): Filter {
  const parts = [byStatus, byType, byCollection, byTime, byGroup, bySearch]
    .filter(() => random.chance(0.25))
    .map((part) => part(world, random))
  return { query: parts.flatMap(({ query }) => query), fits: (job) => parts.every((part) => part.fits(job)) }
}

function byStatus(_world: World, random: Random): Filter {
  const statuses = [
    random.pick(['pending', 'running', 'completed', 'error', 'retry', 'cancelled']),
    random.pick(['error', 'running', 'retry']),
  ]
  const chosen = statuses.slice(random.int(2))
  return { query: [['status', chosen.join(',')]], fits: ({ status }) => chosen.includes(status) }
}

function byType(world: World, random: Random): Filter {
  const chosen = random.chance(0.4) ? [`only_canaryc${random.int(world.collections.length)}x`] : [random.pick(types), random.pick(types)]
  return { query: chosen.map((type) => ['type', type]), fits: ({ type }) => chosen.includes(type) }
}

function byCollection(world: World, random: Random): Filter {
  const chosen = random.chance(0.9) ? random.pick(world.collections) : random.uuid()
  return { query: [['collection_id', chosen]], fits: ({ collection }) => collection === chosen }
}

function byTime(_world: World, random: Random): Filter {
  const from = Date.UTC(2026, 0, 1, 0, random.int(40))
  if (random.chance(0.5)) return { query: [['created_from', new Date(from).toISOString()]], fits: (job) => job.createdUs >= from * 1_000 }
  return { query: [['created_before', new Date(from).toISOString()]], fits: (job) => job.createdUs < from * 1_000 }
}

function byGroup(world: World, random: Random): Filter {
  const group = random.chance(0.5) ? `abc${random.int(3)}` : groupOf(random.pick(world.jobs))
  return { query: [['error_group', group]], fits: (job) => job.status === 'error' && groupOf(job) === group }
}

function bySearch(world: World, random: Random): Filter {
  const job = random.pick(world.jobs)
  const search = random.pick([job.id, job.correlationId ?? 'x', 'FAILED 1', `canaryc${random.int(world.collections.length)}x`])
  const fits = (one: ModelJob) =>
    one.id === search || one.correlationId === search || (one.error?.toLowerCase().includes(search.toLowerCase()) ?? false)
  return { query: [['search', search]], fits }
}

function after(cursor: string | undefined): (job: ModelJob) => boolean {
  if (cursor === undefined) return () => true
  const [us = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|')
  return (job) => job.createdUs < Number(us) || (job.createdUs === Number(us) && job.id < id)
}

/** What of a row is compared. */
export function shownOf(row: Record<string, unknown>): unknown[] {
  return [row.id, row.status, row.job_type, row.collection_title, row.error_msg, row.correlation_id]
}

export function expectedOf(world: World, job: ModelJob): unknown[] {
  return [job.id, job.status, job.type, titleOf(world, job.collection), job.error, job.correlationId]
}

/** May act where the answer says so; not compared where the test itself says that everybody may everywhere. */
export function expectMayAct(fuzz: Fuzz, user: TestUser, rows: readonly { may_act: boolean; collection_node_id: string }[]): void {
  if (fuzz.walls === 'rows' || fuzz.walls === 'none') return
  expectSame(fuzz, 'may act', [rows.map((row) => row.may_act), rows.map((row) => mayAct(fuzz.world, user, row.collection_node_id))])
}
