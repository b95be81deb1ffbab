import { PermanentError } from '@sidelinja/jobs-core'
import { type ActivitySpan, type DurationSummary, readActivity as read, readDurations } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { one, refuseUnknown } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/** `GET {base}/activity?span=minute|hour`: what ended in each of the last 30 minutes or 24 hours, and how long jobs took of late, by type. */
export const readActivity = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/activity',
  right: 'view',
  run: async (context) => {
    refuseUnknown(context.query, ['span'])
    const span = spanOf(one(context.query, 'span') ?? 'minute')
    const { activity, durations } = await reading(context, async ({ trx, scope }) => ({
      activity: await read(trx, scope, span),
      durations: await readDurations(trx, scope),
    }))
    return revalidatedJson(context.request, {
      span,
      starts_at: activity.startsAt.map((at) => at.toISOString()),
      types: activity.types,
      durations: durations.map(({ type, wait, run }) => ({ type, wait: inMs(wait), run: inMs(run) })),
    })
  },
})

function spanOf(text: string): ActivitySpan {
  if (text === 'minute' || text === 'hour') return text
  throw new PermanentError('LIST_FILTER', `span is minute or hour, got ${JSON.stringify(text.slice(0, 60))}.`)
}

function inMs(summary: DurationSummary | null) {
  return summary && { jobs: summary.jobs, p50_ms: Math.round(summary.p50), p95_ms: Math.round(summary.p95) }
}
