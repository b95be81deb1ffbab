import { randomUUID } from 'node:crypto'
import { insertJob } from '@sidelinja/jobs-core/testing'
import { expect, test } from 'vitest'
import { useAdmin } from './support.ts'

const admin = useAdmin()
const rounds = 300
/** Of the medians of requests that alternate. Between two kinds of one cost it stays within a few per cent; what the database does for a job that is found is much more. */
const mostRatio = 1.5

type Ask = (id: string) => Promise<Response>
const asks: [string, Ask][] = [
  ['GET /:id', (id) => admin.get(admin.user, `/${id}`)],
  ['GET /:id/explain', (id) => admin.get(admin.user, `/${id}/explain`)],
  ['GET /:id/raw', (id) => admin.get({ ...admin.user, rights: ['view', 'view_raw'] }, `/${id}/raw`)],
  ['GET ?search=:id', (id) => admin.get(admin.user, `?search=${id}`)],
  ['POST retry_job', (id) => admin.post(admin.user, 'retry_job', { job_id: id })],
  ['POST cancel_job', (id) => admin.post(admin.user, 'cancel_job', { job_id: id })],
]

// A machine that is busy elsewhere can favour one kind for a while; a real difference comes again.
test.each(asks)('%s: a job of somebody else and none answer the same, in the same time', { retry: 2 }, async (_name, ask) => {
  const { id: foreign } = await insertJob(admin.database.db, {
    collection_node_id: admin.foreign,
    status: 'error',
    payload: { text: 'x'.repeat(50_000) },
  })
  const times = { foreign: [] as number[], missing: [] as number[] }
  const bodies = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const missing = randomUUID()
    // Whoever comes second finds warm caches: they take turns.
    const order = round % 2 === 0 ? (['foreign', 'missing'] as const) : (['missing', 'foreign'] as const)
    for (const kind of order) {
      const id = kind === 'foreign' ? foreign : missing
      const started = performance.now()
      const answer = await ask(id)
      const text = await answer.text()
      times[kind].push(performance.now() - started)
      bodies.add(`${answer.status} ${text.replaceAll(id, '?')}`)
    }
  }
  expect([...bodies]).toHaveLength(1)
  const ratio = median(times.foreign) / median(times.missing)
  expect(Math.max(ratio, 1 / ratio)).toBeLessThan(mostRatio)
})

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
