import { cancelJob as cancel } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { jobId, reason } from '../inputs.ts'
import { present } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { acting } from '../user-session.ts'

/** `POST /intentions/cancel_job` with `{ "job_id": "<uuid>", "reason"?: "…" }`: 200 `cancelled`, 202 `requested` of a running job. */
export const cancelJob = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/cancel_job',
  right: 'act',
  bucket: 'single',
  body: z.strictObject({ job_id: jobId, reason: reason.optional() }),
  run: async (context) => {
    const { job_id, reason } = context.body
    const status = await acting(context, ({ trx, scope }) => cancel(trx, job_id, scope, present('reason', reason)))
    return jsonResponse({ job_id, status }, status === 'requested' ? 202 : 200)
  },
})
