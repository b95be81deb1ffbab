import { retryJob as retry } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { jobId, reason } from '../inputs.ts'
import { present } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { acting } from '../user-session.ts'

/** `POST /intentions/retry_job` with `{ "job_id": "<uuid>", "fresh"?: true, "reason"?: "…" }`. */
export const retryJob = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/retry_job',
  right: 'act',
  bucket: 'single',
  body: z.strictObject({ job_id: jobId, fresh: z.boolean().optional(), reason: reason.optional() }),
  run: async (context) => {
    const { job_id, fresh, reason } = context.body
    await acting(context, ({ trx, scope }) => retry(trx, job_id, scope, { ...present('fresh', fresh), ...present('reason', reason) }))
    return jsonResponse({ job_id, status: 'pending' })
  },
})
