import { countIgnored, type OtherCounts, readCounts as read } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/**
 * `GET {base}/counts`: how many jobs of which status, and of which type and status, the user may see, as they were counted last for all who look;
 * of the types beyond the first hundred together.
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
      statuses: sumByStatus([...counted.counts, ...(counted.others?.counts ?? [])]),
      types: [...Map.groupBy(counted.counts, ({ type }) => type)].map(([type, cells]) => ({ type, ...together(cells) })),
      others: counted.others && { types: counted.others.types, ...together(counted.others.counts) },
    })
  },
})

interface Cell {
  jobs: number
  capped: boolean
}

type Counted = OtherCounts['counts'][number]

function sumByStatus(counts: readonly Counted[]): Record<string, Cell> {
  const sums: Record<string, Cell> = {}
  for (const { status, jobs, capped } of counts) {
    const cell = sums[status] ?? { jobs: 0, capped: false }
    sums[status] = { jobs: cell.jobs + jobs, capped: cell.capped || capped }
  }
  return sums
}

function together(cells: readonly Counted[]) {
  const due = cells.flatMap(({ oldestDueAt }) => oldestDueAt?.toISOString() ?? [])
  return { statuses: sumByStatus(cells), oldest_due_at: due.toSorted()[0] ?? null }
}
