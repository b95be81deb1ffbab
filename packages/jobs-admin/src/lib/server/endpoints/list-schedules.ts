import { PermanentError } from '@sidelinja/jobs-core'
import { listSchedules as list } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { maskJson } from '../mask/mask-json.ts'
import { one, present, refuseUnknown, whole } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { shown } from '../views/job-view.ts'

/** `GET {base}/schedules?type=&limit=&after_collection_id=&after_name=`: what is enqueued again and again, and when next. */
export const listSchedules = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/schedules',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const { query } = context
    refuseUnknown(query, ['type', 'limit', 'after_collection_id', 'after_name'])
    const [collectionNodeId, name] = [one(query, 'after_collection_id'), one(query, 'after_name')]
    if ((collectionNodeId === undefined) !== (name === undefined)) {
      throw new PermanentError('LIST_FILTER', 'Give after_collection_id and after_name together: the last schedule of the page before.')
    }
    const after = collectionNodeId !== undefined && name !== undefined ? { collectionNodeId, name } : undefined
    const options = { ...present('type', one(query, 'type')), ...present('limit', whole(query, 'limit')), ...present('after', after) }
    const { schedules, access } = await reading(context, async ({ trx, scope, access }) => ({
      schedules: await list(trx, scope, options),
      access,
    }))
    return revalidatedJson(context.request, {
      schedules: schedules.map(({ payload, error_msg, unique_key, ...schedule }) => ({
        ...schedule,
        payload: maskJson(payload, 'payload').value,
        error_msg: shown(error_msg),
        unique_key: shown(unique_key),
        collection_title: access.titles.get(schedule.collection_node_id) ?? null,
        may_act: access.act.includes(schedule.collection_node_id),
      })),
    })
  },
})
