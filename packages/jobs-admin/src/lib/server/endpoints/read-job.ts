import { getJob, type JobSummary, listAttempts, listAudit } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { maskJson } from '../mask/mask-json.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { viewAttempt } from '../views/attempt-view.ts'
import { viewAudit } from '../views/audit-view.ts'
import { viewJob } from '../views/job-view.ts'

/** `GET {base}/:id`: everything about one job, with secrets in payload and result masked, its attempts and what was done to it. */
export const readJob = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/:id',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const id = context.params.id ?? ''
    const found = await reading(context, async ({ trx, scope, access }) => ({
      job: await getJob(trx, id, scope),
      attempts: await listAttempts(trx, id, scope),
      audit: await listAudit(trx, scope, { jobId: id, limit: 50 }),
      access,
    }))
    const { payload, result, ...summary } = found.job
    const shownPayload = maskJson(payload, 'payload')
    const shownResult = result === null ? undefined : maskJson(result, 'result')
    return revalidatedJson(context.request, {
      job: {
        ...viewJob(summary satisfies JobSummary, found.access),
        payload: shownPayload.value,
        result: shownResult?.value ?? null,
        masked: [...shownPayload.masked, ...(shownResult?.masked ?? [])],
        cut: shownPayload.cut || (shownResult?.cut ?? false),
        may_view_raw: await context.may('view_raw'),
      },
      attempts: found.attempts.map(viewAttempt),
      audit: found.audit.map(viewAudit),
    })
  },
})
