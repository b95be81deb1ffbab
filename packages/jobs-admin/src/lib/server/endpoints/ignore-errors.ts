import { ignoreErrors as ignore, unignoreErrors as unignore } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { errorGroup, reason, typeOfJobs } from '../inputs.ts'
import { present } from '../read-query.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { actingNoted, type Session } from '../user-session.ts'

const about = { type: typeOfJobs, error_group: errorGroup, reason: reason.optional() }
const unignoring = z.strictObject(about)
const ignoring = z.strictObject({ ...about, more: z.number().int().min(0).max(1_000_000).optional() })

/**
 * `POST /intentions/ignore_errors` with `{ "type": "…", "error_group": "…", "more"?: 10, "reason"?: "…" }`: sets a group of failed jobs aside in each collection where the
 * user may act, until it has `more` of them there. Nothing happens to the jobs.
 */
export const ignoreErrors = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/ignore_errors',
  right: 'act',
  bucket: 'single',
  body: ignoring,
  run: async (context) => {
    const collections = await act(context, 'ignore_errors', ({ trx, access }, target) =>
      ignore(trx, { ...target, collectionNodeIds: access.act, ...present('more', context.body.more) }),
    )
    return jsonResponse({ collections })
  },
})

/** `POST /intentions/unignore_errors` with the same body but `more`: takes it back among the others. */
export const unignoreErrors = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/unignore_errors',
  right: 'act',
  bucket: 'single',
  body: unignoring,
  run: async (context) => {
    const collections = await act(context, 'unignore_errors', ({ trx, access }, target) =>
      unignore(trx, { ...target, collectionNodeIds: access.act }),
    )
    return jsonResponse({ collections })
  },
})

interface Target {
  type: string
  group: string
  reason?: string
}

function act(
  context: RouteContext<z.infer<typeof unignoring>>,
  action: 'ignore_errors' | 'unignore_errors',
  run: (session: Session, target: Target) => Promise<number>,
): Promise<number> {
  const { type, error_group, reason } = context.body
  const target = { type, group: error_group, ...present('reason', reason) }
  return actingNoted(context, { action, type }, (session) => run(session, target))
}
