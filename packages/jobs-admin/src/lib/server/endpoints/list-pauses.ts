import { listPauses as list } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { shown } from '../views/job-view.ts'

/** `GET {base}/pauses`: what no worker takes for now, in the user's collections and everywhere. */
export const listPauses = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/pauses',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const { pauses, access } = await reading(context, async ({ trx, scope, access }) => ({
      pauses: access.see.length > 0 ? await list(trx, scope) : [],
      access,
    }))
    return revalidatedJson(context.request, {
      pauses: pauses.map(({ type, collectionNodeId, by, reason, since }) => ({
        type,
        collection_id: collectionNodeId,
        collection_title: (collectionNodeId && access.titles.get(collectionNodeId)) ?? null,
        may_act: collectionNodeId !== null && access.act.includes(collectionNodeId),
        paused_by: by,
        reason: shown(reason),
        since: since.toISOString(),
      })),
    })
  },
})
