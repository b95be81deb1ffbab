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
    // What a job has spent stays spent.
    { key: 'perJobUsd', what: 'this job', orWait: '', spent: spent.job, bound: perJobUsd },
    { key: 'perDayUsd', what: 'today', orWait: ', or wait for the next day', spent: spent.day, bound: perDayUsd },
    { key: 'perMonthUsd', what: 'this month', orWait: ', or wait for the next month', spent: spent.month, bound: perMonthUsd },
  ]
  const reached = bounds.find(({ spent, bound }) => bound !== undefined && spent >= bound)
  if (reached?.bound === undefined) return
  throw new PermanentError(
    'AI_BUDGET_SPENT',
    `The collection's AI budget for ${reached.what} is spent: ${usd(reached.spent)} of ${usd(reached.bound)} US dollars. Raise budget.${reached.key} in its settings${reached.orWait}, then retry the job.`,
  )
}

/**
 * Refuses another call of a job that has cost what it may.
 * @throws PermanentError `COST_CAP_REACHED`
 */
export function checkCap(maxJobUsd: number | undefined, { job }: Pick<AiCosts, 'job'>): void {
  if (maxJobUsd === undefined || job < maxJobUsd) return
  throw new PermanentError(
    'COST_CAP_REACHED',
    `The job has cost ${usd(job)} US dollars, of ${usd(maxJobUsd)} that it may cost: nothing more was asked. Enqueue another one for the rest, or one that may cost more.`,
  )
}

/** To a millionth, without zeros at its end; what is less to its first two figures. */
function usd(amount: number): string {
  const digits = amount >= 0.000_001 || amount === 0 ? 6 : 1 - Math.floor(Math.log10(amount))
  return amount.toFixed(Math.min(digits, 100)).replace(/\.?0+$/, '') || '0'
}

/** True when there is a bound at all, so that what was spent must be known. */
export function hasBudget({ perJobUsd, perDayUsd, perMonthUsd }: CollectionSettings['budget']): boolean {
  return perJobUsd !== undefined || perDayUsd !== undefined || perMonthUsd !== undefined
}
