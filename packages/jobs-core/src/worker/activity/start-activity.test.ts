import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QueueConnection } from '../../database/queue-connection.ts'
import type { NamedQuery } from '../../database/statement.ts'
import type { WorkerEvent } from '../events.ts'
import { startActivity } from './start-activity.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const completed: WorkerEvent = {
  ...{ name: 'job.completed', jobId: 'j', jobType: 'a_job', collectionNodeId: 'c', attempt: 1, maxAttempts: 3, run: 1, durationMs: 2 },
}

/** A connection that notes how many completed jobs it was told of, and fails as often as it is given errors. */
function listening(...errors: unknown[]) {
  const said: number[] = []
  const queue: QueueConnection = {
    async run<Row>({ name, values }: NamedQuery<Row>): Promise<Row[]> {
      if (name !== 'jobs_add_activity') return []
      const error = errors.shift()
      if (error) throw error
      said.push((values[2] as number[])[0] ?? 0)
      return []
    },
    close: async () => {},
  }
  return { queue, said }
}

const session = () => new AbortController()
const tell = (activity: ReturnType<typeof startActivity>) => activity.before(() => {})(completed)

test('says every five seconds what was counted, and nothing where nothing was', async () => {
  const { queue, said } = listening()
  const activity = startActivity(queue, { lost: session().signal })
  tell(activity)
  tell(activity)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(said).toEqual([])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(said).toEqual([2])
  await activity.stop()
  expect(said).toEqual([2])
})

test('says again what was refused, with what came since', async () => {
  const { queue, said } = listening(Object.assign(new Error('lock timeout'), { code: '55P03' }))
  const activity = startActivity(queue, { lost: session().signal })
  tell(activity)
  await vi.advanceTimersByTimeAsync(5_100)
  tell(activity)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(said).toEqual([2])
  await activity.stop()
})

test('does not say again what a lost connection may have heard', async () => {
  const { queue, said } = listening(Object.assign(new Error('gone'), { code: 'ECONNRESET' }))
  const activity = startActivity(queue, { lost: session().signal })
  tell(activity)
  await vi.advanceTimersByTimeAsync(5_100)
  tell(activity)
  await activity.stop()
  expect(said).toEqual([1])
})

test('says the rest at the stop, and nothing for a worker whose lease is lost', async () => {
  const { queue, said } = listening()
  const [stopped, lost] = [session(), session()]
  const first = startActivity(queue, { lost: stopped.signal })
  const second = startActivity(queue, { lost: lost.signal })
  tell(first)
  tell(second)
  lost.abort()
  await Promise.all([first.stop(), second.stop()])
  expect(said).toEqual([1])
})
