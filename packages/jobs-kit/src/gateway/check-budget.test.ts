import { describeError } from '@sidelinja/jobs-core/worker'
import { expect, test } from 'vitest'
import { checkBudget } from './check-budget.ts'

const spent = { job: 0.0066786499999999995, day: 1.23456789, month: 0.1 + 0.2 }
const messageOf = (budget: Parameters<typeof checkBudget>[0]) => {
  try {
    checkBudget(budget, spent)
    return undefined
  } catch (error) {
    return describeError(error).message
  }
}

test.each([
  [
    { perJobUsd: 0.0066786499999999995 },
    'this job is spent: 0.006679 of 0.006679 US dollars. Raise budget.perJobUsd in its settings, then retry the job.',
  ],
  [
    { perDayUsd: 1 },
    'today is spent: 1.234568 of 1 US dollars. Raise budget.perDayUsd in its settings, or wait for the next day, then retry the job.',
  ],
  [
    { perMonthUsd: 0.3 },
    'this month is spent: 0.3 of 0.3 US dollars. Raise budget.perMonthUsd in its settings, or wait for the next month, then retry the job.',
  ],
  [{ perMonthUsd: 0.00000012 }, 'of 0.00000012 US'],
  [{ perMonthUsd: 0 }, 'of 0 US'],
])('%j says what is spent, in figures to read, and what helps', (budget, text) => {
  expect(messageOf(budget)).toContain(text)
})

test('what is not reached says nothing', () => expect(messageOf({ perJobUsd: 1, perDayUsd: 2, perMonthUsd: 3 })).toBeUndefined())
