import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPendingStatuses, type PendingStatus } from './pending-statuses.ts'
import type { JobStatusUpdate } from './status-sink.ts'

/** `attempt` numbers the updates, so that each is known again. */
const update = (jobId: string, attempt: number): JobStatusUpdate => ({
  ...{ jobId, collectionNodeId: 'c', jobType: 't', status: 'running', attempt, maxAttempts: 3 },
  ...{ progress: 0, message: 'Kjører', updatedAt: new Date(0) },
})
const idsOf = (pending: ReturnType<typeof createPendingStatuses>) => {
  const ids: string[] = []
  for (let next = pending.take(); next; next = pending.take()) ids.push(`${next.update.jobId}${next.update.attempt}`)
  return ids
}

describe('what waits', () => {
  test('is the newest of each job, ends first, else the oldest first', () => {
    const pending = createPendingStatuses(10)
    pending.put(update('a', 1), false)
    pending.put(update('b', 2), false)
    pending.put(update('a', 3), false)
    pending.put(update('c', 4), false)
    pending.put(update('c', 5), true)
    pending.put(update('d', 6), true)
    pending.put(update('d', 7), false)
    expect(pending.size()).toBe(4)
    expect(idsOf(pending)).toEqual(['c5', 'a3', 'b2', 'd7'])
    expect(pending.dropped()).toBe(0)
  })

  test('stays while one of the job is on its way', () => {
    const pending = createPendingStatuses(10)
    pending.put(update('a', 1), false)
    const first = pending.take() as PendingStatus
    pending.put(update('a', 2), true)
    expect([pending.ready(), pending.take()]).toEqual([false, undefined])
    pending.done(first)
    expect(idsOf(pending)).toEqual(['a2'])
  })

  test('is not replaced by an older one that comes back', () => {
    const pending = createPendingStatuses(10)
    pending.put(update('a', 1), false)
    const first = pending.take() as PendingStatus
    pending.put(update('a', 2), false)
    pending.putBack(first)
    expect(idsOf(pending)).toEqual(['a2'])
  })

  test('that comes back goes behind the others', () => {
    const pending = createPendingStatuses(10)
    pending.put(update('a', 1), true)
    pending.put(update('b', 2), true)
    pending.putBack({ ...(pending.take() as PendingStatus), refusals: 1 })
    expect(idsOf(pending)).toEqual(['b2', 'a1'])
  })

  test('is forgotten when the job is somebody else’s, also what is on its way', () => {
    const pending = createPendingStatuses(10)
    pending.put(update('a', 1), false)
    const first = pending.take() as PendingStatus
    pending.put(update('b', 2), false)
    pending.put(update('c', 3), true)
    pending.forget('a')
    pending.putBack(first)
    pending.forgetRunning()
    expect(idsOf(pending)).toEqual(['c3'])
  })
})

describe('when it is full', () => {
  test('the oldest running job makes room, an end only for an end', () => {
    const pending = createPendingStatuses(2)
    pending.put(update('a', 1), false)
    pending.put(update('b', 2), true)
    pending.put(update('c', 3), false)
    pending.put(update('d', 4), true)
    pending.put(update('e', 5), false)
    expect([pending.size(), pending.dropped()]).toEqual([2, 3])
    pending.put(update('f', 6), true)
    expect([pending.size(), pending.dropped()]).toEqual([2, 4])
    expect(idsOf(pending)).toEqual(['d4', 'f6'])
  })
})

const job = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const command = fc.oneof(
  fc.record({ do: fc.constant('put' as const), job, ended: fc.boolean() }),
  fc.record({ do: fc.constant('take' as const) }),
  fc.record({ do: fc.constantFrom('done' as const, 'putBack' as const), which: fc.nat(3) }),
)

/** Runs the commands, then sends everything. What arrived, in order; what was put last; and the largest size seen. */
function run(capacity: number, commands: readonly (typeof command extends fc.Arbitrary<infer C> ? C : never)[]) {
  const pending = createPendingStatuses(capacity)
  const newest = new Map<string, { number: number; ended: boolean }>()
  const arrived: [string, number][] = []
  const away: PendingStatus[] = []
  let number = 0
  let largest = 0
  const arrive = (sent: PendingStatus) => {
    pending.done(sent)
    arrived.push([sent.update.jobId, sent.update.attempt])
  }
  for (const each of commands) {
    if (each.do === 'put') {
      number++
      newest.set(each.job, { number, ended: each.ended })
      pending.put(update(each.job, number), each.ended)
    } else if (each.do === 'take') {
      const taken = pending.take()
      if (taken) away.push(taken)
    } else {
      const [one] = away.splice(each.which % Math.max(1, away.length), 1)
      if (one) each.do === 'done' ? arrive(one) : pending.putBack(one)
    }
    expect(new Set(away.map(({ update: { jobId } }) => jobId)).size).toBe(away.length)
    largest = Math.max(largest, pending.size())
  }
  for (const one of away) arrive(one)
  for (let next = pending.take(); next; next = pending.take()) arrive(next)
  return { arrived, newest, largest, dropped: pending.dropped() }
}

describe('whatever comes in between', () => {
  test('the last update of each job that arrives is its newest, and none arrives after a newer one', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const { arrived, newest, dropped } = run(5, commands)
        expect(dropped).toBe(0)
        expect(new Map(arrived)).toEqual(new Map(Array.from(newest, ([id, { number }]) => [id, number])))
        for (const id of newest.keys()) {
          const numbers = arrived.flatMap(([jobId, number]) => (jobId === id ? [number] : []))
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('no more wait than there is room for, order is kept, and what is missing was counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(command, { maxLength: 60 }), (capacity, commands) => {
        const { arrived, newest, largest, dropped } = run(capacity, commands)
        expect(largest).toBeLessThanOrEqual(capacity)
        const last = new Map(arrived)
        const missing = [...newest].filter(([id, { number }]) => last.get(id) !== number)
        expect(missing.length).toBeLessThanOrEqual(dropped)
        for (const id of newest.keys()) {
          const numbers = arrived.flatMap(([jobId, number]) => (jobId === id ? [number] : []))
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('no end is lost while fewer jobs end than there is room for', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const twoEnd = commands.map((each) => (each.do === 'put' ? { ...each, ended: each.ended && each.job < 'c' } : each))
        const { arrived, newest } = run(2, twoEnd)
        for (const [id, { number, ended }] of newest) if (ended) expect(new Map(arrived).get(id)).toBe(number)
      }),
      { numRuns: 1_000 },
    )
  })
})
