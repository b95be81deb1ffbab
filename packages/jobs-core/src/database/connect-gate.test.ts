import { describe, expect, test, vi } from 'vitest'
import { createConnectGate } from './connect-gate.ts'

describe('the gate to the server', () => {
  test('lets four tries a second through while they fail, however many want a connection', async () => {
    vi.useFakeTimers()
    const gate = createConnectGate()
    const connect = vi.fn(() => Promise.reject(new Error('refused')))
    const wanting = setInterval(() => {
      for (let n = 0; n < 20; n++) gate.through(connect).catch(() => {})
    }, 10)
    await vi.advanceTimersByTimeAsync(3_000)
    clearInterval(wanting)
    expect(connect.mock.calls.length).toBeGreaterThan(8)
    expect(connect.mock.calls.length).toBeLessThanOrEqual(13)
    vi.useRealTimers()
  })

  test('answers everybody who waits with the try that failed, and opens with the first that does not', async () => {
    const gate = createConnectGate()
    const fails = vi.fn(() => Promise.reject(new Error('refused')))
    const answers = await Promise.allSettled([1, 2, 3].map(() => gate.through(fails)))
    expect(answers.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(fails).toHaveBeenCalledTimes(1)
    expect(await Promise.all([1, 2, 3].map((n) => gate.through(async () => n)))).toEqual([1, 2, 3])
  })
})
