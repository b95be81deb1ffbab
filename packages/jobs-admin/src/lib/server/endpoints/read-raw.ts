import { JobNotFoundError } from '@sidelinja/jobs-core'
import { getJob, noteAction } from '@sidelinja/jobs-core/admin'
import { jsonResponse } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { acting } from '../user-session.ts'

/** `GET {base}/:id/raw`: payload and result as they are stored, for who has the right `view_raw`. Each look stands in the audit. */
export const readRaw = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/:id/raw',
  right: 'view_raw',
  bucket: 'single',
  hasPage: true,
  run: async (context) => {
    const id = context.params.id ?? ''
    const { payload, result } = await acting(context, async ({ trx, scope }) => {
      const job = await getJob(trx, id, scope)
      // Taken from the user a moment ago: what was not noted is not shown.
      if (!(await noteAction(trx, { action: 'read_raw', jobId: id }))) {
        throw new JobNotFoundError('JOB_NOT_FOUND', `There is no job ${JSON.stringify(id)} that you may see.`)
      }
      return job
    })
    return jsonResponse({ payload, result })
  },
})
