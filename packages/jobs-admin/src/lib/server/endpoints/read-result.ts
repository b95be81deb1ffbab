import { getJob, type Job } from '@sidelinja/jobs-core/admin'
import type { ResultBody } from '../../page/wire/result-body.ts'
import { databaseTrouble } from '../http/database-trouble.ts'
import { revalidatedJson } from '../http/json-response.ts'
import { presentParts } from '../results/present-parts.ts'
import { readView, ViewTooSlowError } from '../results/read-view.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { reading } from '../user-session.ts'

/** `GET {base}/:id/result`: what a finished job came to, in parts that the page draws. */
export const readResult = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/:id/result',
  right: 'view',
  run: async (context) => revalidatedJson(context.request, await resultOf(context)),
})

const nothing: ResultBody = { run: null, parts: [], failed: null, masked: 0, cut: false }

async function resultOf(context: RouteContext): Promise<ResultBody> {
  let job: Job | undefined
  try {
    const parts = await reading(context, async (session) => {
      job = await getJob(session.trx, context.params.id ?? '', session.scope)
      const view = job.status === 'completed' ? context.results.get(job.job_type) : undefined
      return view ? readView(view, session, job) : []
    })
    return job?.status === 'completed' ? { ...nothing, run: job.run, ...presentParts(parts) } : nothing
  } catch (error) {
    // A view that fails must not take away the page of its job; that there is no such job must be said.
    if (job === undefined) throw error
    context.report(error)
    return { ...nothing, run: job.run, failed: isTooSlow(error) ? 'too_slow' : 'error' }
  }
}

function isTooSlow(error: unknown): boolean {
  return error instanceof ViewTooSlowError || databaseTrouble(error) === 'too slow'
}
