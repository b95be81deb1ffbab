import { listErrorGroups as list } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { shown } from '../views/job-view.ts'

/** `GET {base}/errors`: failed jobs, grouped by type and what they failed with. */
export const listErrorGroups = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/errors',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const { groups, capped } = await reading(context, ({ trx, scope }) => list(trx, scope))
    return revalidatedJson(context.request, {
      groups: groups.map((group) => ({
        error_group: group.group,
        type: group.type,
        jobs: group.jobs,
        collections: group.collections,
        message: shown(group.message),
        first_failed_at: group.firstFailedAt?.toISOString() ?? null,
        last_failed_at: group.lastFailedAt?.toISOString() ?? null,
      })),
      capped,
    })
  },
})
