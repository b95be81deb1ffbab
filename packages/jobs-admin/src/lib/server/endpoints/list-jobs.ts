import { listJobs as list } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { filterNames, one, present, readFilter, refuseUnknown, whole } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { viewJob } from '../views/job-view.ts'

/** `GET {base}?status=&type=&collection_id=&…&limit=&offset=&cursor=`: `{ jobs, next_cursor }`, newest first, without payloads. */
export const listJobs = defineRoute({
  method: 'GET',
  under: 'base',
  path: '',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    const { query } = context
    refuseUnknown(query, [...filterNames, 'limit', 'offset', 'cursor'])
    const page = {
      ...present('limit', whole(query, 'limit')),
      ...present('offset', whole(query, 'offset')),
      ...present('cursor', one(query, 'cursor')),
    }
    const options = { ...readFilter(query, context.userId), ...page }
    const { jobs, nextCursor, access } = await reading(context, async ({ trx, scope, access }) => ({
      ...(await list(trx, scope, options)),
      access,
    }))
    return revalidatedJson(context.request, { jobs: jobs.map((job) => viewJob(job, access)), next_cursor: nextCursor })
  },
})
