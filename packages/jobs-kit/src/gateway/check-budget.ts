import { PermanentError } from '@sidelinja/jobs-core'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import type { AiCosts } from '../storage/ai-calls/index.ts'

/**
 * Refuses another call once a bound is reached. Calls under way are not counted, so it can be exceeded by what the collection's jobs are just
 * asking.
 * @throws PermanentError `AI_BUDGET_SPENT`
 */
export function checkBudget({ perJobUsd, perDayUsd, perMonthUsd }: CollectionSettings['budget'], spent: AiCosts): void {
  const bounds = [
    { key: 'perJobUsd', what: 'this job', spent: spent.job, bound: perJobUsd },
    { key: 'perDayUsd', what: 'today', spent: spent.day, bound: perDayUsd },
    { key: 'perMonthUsd', what: 'this month', spent: spent.month, bound: perMonthUsd },
  ]
  const reached = bounds.find(({ spent, bound }) => bound !== undefined && spent >= bound)
  if (reached === undefined) return
  throw new PermanentError(
    'AI_BUDGET_SPENT',
    `The collection's AI budget for ${reached.what} is spent: ${reached.spent.toFixed(4)} of ${reached.bound} US dollars. Raise budget.${reached.key} in its settings, or wait, and retry the job.`,
  )
}

/** True when there is a bound at all, so that what was spent must be known. */
export function hasBudget({ perJobUsd, perDayUsd, perMonthUsd }: CollectionSettings['budget']): boolean {
  return perJobUsd !== undefined || perDayUsd !== undefined || perMonthUsd !== undefined
}
