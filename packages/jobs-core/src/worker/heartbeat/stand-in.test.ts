import { expect, test } from 'vitest'
import type { WorkerEvent } from '../events.ts'
import { createOutage } from '../outage.ts'
import type { Runtime } from '../runtime.ts'
import { createSession } from '../session.ts'
import { monotonicMs } from './monotonic-ms.ts'
import { createStandIn } from './stand-in.ts'

const refused = { code: null, message: 'too many connections', stack: null }

/** A thread's stand-in whose own connection answers like this. */
function standIn(answer: () => Promise<unknown[]>, registeredAt = monotonicMs()) {
  const events: WorkerEvent[] = []
  const emit = (event: WorkerEvent) => void events.push(event)
  const session = createSession('a', 60_000, registeredAt)
  const runtime = { session, emit, outage: createOutage(emit), lifeline: { run: answer, close: async () => {} } }
  return { ...createStandIn(runtime as unknown as Runtime), session, events }
}

test('a thread that failed once is no news, one that fails on is told of once, and again after it got through', async () => {
  const { failed, leave, events, session } = standIn(async () => [{}])
  const before = session.memory.renewedAt()
  await failed(refused)
  expect(session.memory.renewedAt()).toBeGreaterThan(before)
  expect(events).toEqual([])
  for (let n = 0; n < 3; n++) await failed(refused)
  expect(events).toEqual([{ name: 'heartbeat.inline', error: refused }])
  leave()
  for (let n = 0; n < 3; n++) await failed(refused)
  expect(events).toHaveLength(2)
})

test('where it does not get through either the database is away, in the words of its own error', async () => {
  const { failed, events, session } = standIn(async () => {
    throw new Error('it is gone')
  })
  await failed(refused)
  expect(events).toMatchObject([{ name: 'database.lost', during: 'heartbeat', error: { message: 'it is gone' } }])
  expect(session.lost.aborted).toBe(false)
})

test('a lease that is lost is lost', async () => {
  const { failed, session } = standIn(async () => [])
  await failed(refused)
  expect(session.lost.aborted).toBe(true)
})

test('looks after a lease that nobody has renewed for half of it, and after no other', async () => {
  const asked: number[] = []
  const late = standIn(async () => [asked.push(1)], monotonicMs() - 31_000)
  await late.look()
  expect(asked).toHaveLength(1)
  await late.look()
  expect(asked).toHaveLength(1)
  expect(late.events).toEqual([])
})
