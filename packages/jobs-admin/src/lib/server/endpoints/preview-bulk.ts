import { previewBulk as preview } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { filter, jobId, reason, toFilter } from '../inputs.ts'
import { present } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { acting } from '../user-session.ts'
import { viewBulk } from '../views/bulk-view.ts'

const maxJobs = 1_000

/**
 * `POST /intentions/preview_bulk` with `{ "action": "retry" | "cancel", "job_ids": […] or "filter": {…}, "fresh"?, "reason"? }`: freezes which jobs are meant
 * and does nothing to them. 201 with `bulk_id` and how many they are.
 */
export const previewBulk = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/preview_bulk',
  right: 'act',
  bucket: 'single',
  body: z.strictObject({
    action: z.enum(['retry', 'cancel']),
    job_ids: z.array(jobId).min(1).max(maxJobs).optional(),
    filter: filter.optional(),
    fresh: z.boolean().optional(),
    reason: reason.optional(),
  }),
  run: async (context) => {
    const { action, job_ids, filter: chosen, fresh, reason } = context.body
    const request = { action, ...present('jobIds', job_ids), ...present('fresh', fresh), ...present('reason', reason) }
    // A filter finds no jobs on which the user may not act; ids that were named are refused one by one when it runs.
    const bulk = await acting(context, ({ trx, access }) =>
      preview(trx, { collectionNodeIds: access.act }, { ...request, ...(chosen && { filter: toFilter(chosen, context.userId) }) }),
    )
    return jsonResponse(viewBulk(bulk), 201)
  },
})
