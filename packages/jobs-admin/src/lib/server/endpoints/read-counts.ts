import { type CountedJobs, countIgnored, readCounts as read } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/**
 * `GET {base}/counts`: how many jobs of which status, and of which type and status, the user may see, as they were counted last for all who look.
 * Asking makes it be counted anew when it is time, for the next who asks.
 */
export const readCounts = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/counts',
  right: 'view',
  run: async (context) => {
    const look = () =>
      reading(context, async ({ trx, scope }) => ({ ...(await read(trx, scope)), setAside: await countIgnored(trx, scope) }))
    let counted = await look()
    if (counted.due) {
      const counting = context.refreshCounts()
      // Nobody has ever counted: there is nothing to show until somebody has.
      if (counted.countedAt === null || counted.finishedCountedAt === null) {
        await counting
        counted = await look()
      }
    }
    return revalidatedJson(context.request, {
      counted_at: counted.countedAt?.toISOString() ?? null,
      finished_counted_at: counted.finishedCountedAt?.toISOString() ?? null,
      set_aside: counted.setAside,
      statuses: sumByStatus(counted.counts),
      types: byType(counted.counts),
    })
  },
})

interface Cell {
  jobs: number
  capped: boolean
}

function sumByStatus(counts: readonly CountedJobs[]): Record<string, Cell> {
  const sums: Record<string, Cell> = {}
  for (const { status, jobs, capped } of counts) {
    const cell = sums[status] ?? { jobs: 0, capped: false }
    sums[status] = { jobs: cell.jobs + jobs, capped: cell.capped || capped }
  }
  return sums
}

function byType(counts: readonly CountedJobs[]) {
  return [...Map.groupBy(counts, ({ type }) => type)].map(([type, cells]) => ({
    type,
    statuses: sumByStatus(cells),
    oldest_due_at:
      cells
        .map(({ oldestDueAt }) => oldestDueAt?.toISOString())
        .filter((at) => at !== undefined)
        .toSorted()[0] ?? null,
  }))
}
