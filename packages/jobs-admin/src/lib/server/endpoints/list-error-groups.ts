import { listErrorGroups as list } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { shown } from '../views/job-view.ts'

/** `GET {base}/errors`: failed jobs, grouped by type and what they failed with; what is set aside comes last. */
export const listErrorGroups = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/errors',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const { groups, capped } = await reading(context, ({ trx, scope, access }) => list(trx, scope, { collectionNodeIds: access.act }))
    return revalidatedJson(context.request, {
      groups: groups.map((group) => ({
        error_group: group.group,
        type: group.type,
        jobs: group.jobs,
        collections: group.collections,
        message: shown(group.message),
        first_failed_at: group.firstFailedAt?.toISOString() ?? null,
        last_failed_at: group.lastFailedAt?.toISOString() ?? null,
        ignored: group.ignored && { more: group.ignored.more, new_jobs: group.ignored.newJobs, since: group.ignored.since.toISOString() },
      })),
      capped,
    })
  },
})
