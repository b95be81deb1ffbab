import { isJobsError } from '@sidelinja/jobs-core'
import { noteAction, pauseJobs as pause, resumeJobs as resume } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { collectionId, jobType, reason } from '../inputs.ts'
import { present } from '../read-query.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { acting, type Session } from '../user-session.ts'

const body = z.strictObject({ collection_id: collectionId, type: jobType.optional(), reason: reason.optional() })
type Body = z.infer<typeof body>

/** `POST /intentions/pause_jobs` with `{ "collection_id": "<uuid>", "type"?: "…", "reason"?: "…" }`: no worker takes such jobs from now on. */
export const pauseJobs = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/pause_jobs',
  right: 'act',
  bucket: 'single',
  body,
  run: async (context) => {
    const pausing = await act(context, 'pause', ({ trx, access, userId }, target) =>
      pause(trx, target, { collectionNodeIds: access.act }, { by: userId, ...present('reason', context.body.reason) }),
    )
    const { type, collectionNodeId, by, reason: why, since } = pausing
    return jsonResponse({ type, collection_id: collectionNodeId, paused_by: by, reason: why, since: since.toISOString() })
  },
})

/** `POST /intentions/resume_jobs` with the same body: ends exactly that pause. `resumed` is false when there was none. */
export const resumeJobs = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/resume_jobs',
  right: 'act',
  bucket: 'single',
  body,
  run: async (context) => {
    const resumed = await act(context, 'resume', ({ trx, access }, target) =>
      resume(trx, target, { collectionNodeIds: access.act }, present('reason', context.body.reason)),
    )
    return jsonResponse({ resumed })
  },
})

interface Target {
  collectionNodeId: string
  type?: string
}

/** What is refused before it reaches the database is noted here. */
async function act<Result>(
  context: RouteContext<Body>,
  action: 'pause' | 'resume',
  run: (session: Session, target: Target) => Promise<Result>,
): Promise<Result> {
  const { collection_id, type } = context.body
  const target = { collectionNodeId: collection_id, ...present('type', type) }
  return acting(context, async (session) => {
    try {
      return await run(session, target)
    } catch (refusal) {
      if (isJobsError(refusal, 'queue')) await noteAction(session.trx, { action, refused: refusal.code, ...target })
      throw refusal
    }
  })
}
