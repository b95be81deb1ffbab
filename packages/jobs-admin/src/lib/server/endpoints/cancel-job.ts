import { JobNotFoundError } from '@sidelinja/jobs-core'
import { z } from 'zod'
import { defineRoute } from '../route.ts'

/** `POST /intentions/cancel_job` with `{ "job_id": "<uuid>" }`. Knows no statement yet: every job is one that is not there. */
export const cancelJob = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/cancel_job',
  right: 'act',
  bucket: 'single',
  body: z.strictObject({ job_id: z.guid({ error: 'expected a uuid' }) }),
  run: ({ body }) => {
    throw new JobNotFoundError('JOB_NOT_FOUND', `There is no job ${body.job_id} that you may see.`)
  },
})
