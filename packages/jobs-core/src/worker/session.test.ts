import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { monotonicMs } from './heartbeat/monotonic-ms.ts'
import { createSession } from './session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a session', () => {
  test('holds from the time a renewal was asked for, not from its answer', () => {
    const session = createSession('id', 30_000, monotonicMs())
    vi.advanceTimersByTime(20_000)
    const askedAt = monotonicMs()
    vi.advanceTimersByTime(9_999)
    expect(session.holds()).toBe(true)
    session.renewed(askedAt)
    vi.advanceTimersByTime(20_000)
    expect(session.holds()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(session.holds()).toBe(false)
  })

  test('a renewal that answers late takes nothing back from a later one', () => {
    const session = createSession('id', 30_000, 0)
    vi.advanceTimersByTime(25_000)
    session.renewed(monotonicMs())
    session.renewed(monotonicMs() - 20_000)
    vi.advanceTimersByTime(29_999)
    expect(session.holds()).toBe(true)
  })

  test('once lost, holds no more and says so once', () => {
    const session = createSession('id', 30_000, monotonicMs())
    const onLost = vi.fn()
    session.lost.addEventListener('abort', onLost)
    session.lose()
    session.lose()
    session.renewed(monotonicMs())
    expect(session.holds()).toBe(false)
    expect(onLost).toHaveBeenCalledTimes(1)
  })
})
