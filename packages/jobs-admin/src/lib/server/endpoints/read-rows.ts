import { readJobs } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { readIds, refuseUnknown } from '../read-query.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'
import { viewJob } from '../views/job-view.ts'

/** `GET {base}/rows?ids=<uuid>,<uuid>`: `{ jobs }`, those of up to 200 that the user sees now, as the list shows them, whatever its filter. */
export const readRows = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/rows',
  right: 'view',
  run: async (context) => {
    refuseUnknown(context.query, ['ids'])
    const ids = readIds(context.query)
    const { jobs, access } = await reading(context, async ({ trx, scope, access }) => ({ jobs: await readJobs(trx, ids, scope), access }))
    return revalidatedJson(context.request, { jobs: jobs.map((job) => viewJob(job, access)) })
  },
})
