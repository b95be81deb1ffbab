import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { whenUnlocked } from './when-unlocked.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const locked = { present: true, held: false }
const free = { present: true, held: true }

/** Answers that take `ms` each; the last one is given again and again. */
function answers(ms: number, ...rows: (typeof locked)[]) {
  let looks = 0
  const attempt = async () => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return rows[Math.min(looks++, rows.length - 1)]
  }
  return { attempt, looks: () => looks }
}

async function outcome({ attempt }: ReturnType<typeof answers>): Promise<unknown> {
  const ended = whenUnlocked('a job', attempt).catch((error) => error.code)
  await vi.runAllTimersAsync()
  return ended
}

describe('a row that somebody has locked', () => {
  test('is looked at until it is free', async () => {
    expect(await outcome(answers(1, locked, locked, free))).toEqual(free)
  })

  test('is given up after two seconds', async () => {
    const looking = answers(0, locked)
    expect(await outcome(looking)).toBe('JOB_LOCKED')
    expect(looking.looks()).toBeGreaterThan(39)
    expect(looking.looks()).toBeLessThan(44)
  })

  test('is not given up because the answer took long, only because it was locked again and again', async () => {
    expect(await outcome(answers(5_000, locked, free))).toEqual(free)
    const looking = answers(5_000, locked)
    expect(await outcome(looking)).toBe('JOB_LOCKED')
    expect(looking.looks()).toBe(10)
  })

  test('is not waited for when it is none', async () => {
    const none = { present: false, held: false }
    const looking = answers(0, none)
    expect(await outcome(looking)).toEqual(none)
    expect(looking.looks()).toBe(1)
  })
})
