import { PermanentError } from '@sidelinja/jobs-core'
import {
  type ActivitySpan,
  type DurationSummary,
  type JobActivity,
  type JobDurations,
  readActivity as read,
  readDurations,
} from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { one, refuseUnknown } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/** `GET {base}/activity?span=minute|hour`: what ended in each of the last 30 minutes or 24 hours, and how long jobs took of late, by type; of the types beyond the busiest hundred together. */
export const readActivity = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/activity',
  right: 'view',
  run: async (context) => {
    refuseUnknown(context.query, ['span'])
    const span = spanOf(one(context.query, 'span') ?? 'minute')
    const { activity, durations } = await reading(context, async ({ trx, scope }) => {
      const activity = await read(trx, scope, span)
      // The same types: one that has its own line must not seem to have ended nothing, or taken no time.
      return { activity, durations: await readDurations(trx, scope, { first: activity.types.map(({ type }) => type) }) }
    })
    return revalidatedJson(context.request, {
      span,
      starts_at: activity.startsAt.map((at) => at.toISOString()),
      types: activity.types,
      durations: durations.types.map(({ type, wait, run }) => ({ type, wait: inMs(wait), run: inMs(run) })),
      others: othersOf(activity, durations),
    })
  },
})

function spanOf(text: string): ActivitySpan {
  if (text === 'minute' || text === 'hour') return text
  throw new PermanentError('LIST_FILTER', `span is minute or hour, got ${JSON.stringify(text.slice(0, 60))}.`)
}

/** All types without a line of their own; null: there are none. */
function othersOf({ startsAt, others: ended }: JobActivity, { others: took }: JobDurations) {
  if (!ended && !took) return null
  const zeros = startsAt.map(() => 0)
  const { types, ...series } = ended ?? { types: took?.types ?? 0, completed: zeros, failed: zeros, retried: zeros }
  return { types, ...series, wait: inMs(took?.wait ?? null), run: inMs(took?.run ?? null) }
}

function inMs(summary: DurationSummary | null) {
  return summary && { jobs: summary.jobs, p50_ms: Math.round(summary.p50), p95_ms: Math.round(summary.p95) }
}
