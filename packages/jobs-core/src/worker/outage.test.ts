import { describe, expect, test, vi } from 'vitest'
import type { WorkerEvent } from './events.ts'
import { createOutage } from './outage.ts'

function make() {
  const events: WorkerEvent[] = []
  return { outage: createOutage((event) => events.push(event)), told: () => events.map((event) => event.name) }
}

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
const readOnly = Object.assign(new Error('read-only'), { code: '25006' })

describe('an outage', () => {
  test('is told once, however many parts notice it, and is over when all of them got through', () => {
    const { outage, told } = make()
    for (let n = 0; n < 10; n++) for (const part of ['claim', 'rescue'] as const) outage.lost(part, refused)
    outage.back('rescue')
    expect(told()).toEqual(['database.lost'])
    outage.back('claim')
    outage.back('claim')
    expect(told()).toEqual(['database.lost', 'database.back'])
    outage.lost('claim', refused)
    expect(told()).toHaveLength(3)
  })

  test('is told once for each reason, and again once a minute', () => {
    vi.useFakeTimers()
    const { outage, told } = make()
    outage.lost('claim', refused)
    outage.lost('claim', readOnly)
    outage.lost('rescue', new Error('Connection terminated unexpectedly'))
    outage.lost('claim', readOnly)
    expect(told()).toHaveLength(2)
    vi.advanceTimersByTime(61_000)
    outage.lost('claim', readOnly)
    expect(told()).toHaveLength(3)
    vi.useRealTimers()
  })

  test('is waited for, but not for ever, and not once the signal aborts', async () => {
    vi.useFakeTimers()
    const { outage } = make()
    const ended = vi.fn()
    const wait = (signal: AbortSignal) => outage.pause(50, 5_000, signal).then(ended)
    void wait(AbortSignal.abort())
    await vi.advanceTimersByTimeAsync(50)
    expect(ended).toHaveBeenCalledTimes(1)
    outage.lost('claim', refused)
    void wait(new AbortController().signal)
    await vi.advanceTimersByTimeAsync(4_900)
    expect(ended).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(300)
    expect(ended).toHaveBeenCalledTimes(2)
    void wait(new AbortController().signal)
    outage.back('claim')
    await vi.advanceTimersByTimeAsync(50)
    expect(ended).toHaveBeenCalledTimes(3)
    vi.useRealTimers()
  })
})
