import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { whenUnlocked } from './when-unlocked.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const locked: { code: string | null } = { code: 'JOB_LOCKED' }
const free = { code: null }

/** Answers that take `ms` each; the last one is given again and again. */
function answers(ms: number, ...rows: (typeof locked)[]) {
  let looks = 0
  const told: boolean[] = []
  const attempt = async (giveUp: boolean) => {
    told.push(giveUp)
    await new Promise((resolve) => setTimeout(resolve, ms))
    return rows[Math.min(looks++, rows.length - 1)] ?? free
  }
  return { attempt, looks: () => looks, told }
}

async function outcome({ attempt }: ReturnType<typeof answers>): Promise<unknown> {
  const ended = whenUnlocked(attempt)
  await vi.runAllTimersAsync()
  return ended
}

describe('a row that somebody has locked', () => {
  test('is looked at until it is free', async () => {
    expect(await outcome(answers(1, locked, locked, free))).toEqual(free)
  })

  test('is given up after two seconds', async () => {
    const looking = answers(0, locked)
    expect(await outcome(looking)).toEqual(locked)
    expect(looking.told.filter(Boolean)).toEqual([true])
    expect(looking.looks()).toBeGreaterThan(39)
    expect(looking.looks()).toBeLessThan(44)
  })

  test('is not given up because the answer took long, only because it was locked again and again', async () => {
    expect(await outcome(answers(5_000, locked, free))).toEqual(free)
    const looking = answers(5_000, locked)
    expect(await outcome(looking)).toEqual(locked)
    expect(looking.told.filter(Boolean)).toEqual([true])
    expect(looking.looks()).toBe(10)
  })

  test('is not waited for when it is none', async () => {
    const none = { code: 'JOB_NOT_FOUND' }
    const looking = answers(0, none)
    expect(await outcome(looking)).toEqual(none)
    expect(looking.looks()).toBe(1)
  })
})
