import { jobsAdmin } from '@sidelinja/jobs-admin/server'
import { openAdminDatabase } from '@sidelinja/jobs-core/admin'
import type { RequestEvent } from '@sveltejs/kit'
import { ADMIN_ORIGIN, DATABASE_URL } from '$app/env/private'
import { resultViews } from './result-views.ts'
import { userOf } from './session.server.ts'

const database = openAdminDatabase({ connection: DATABASE_URL })

/** The page of jobs and its endpoints: used by the hooks and by its route. */
export const jobs = jobsAdmin({
  database,
  identify: (event: RequestEvent) => userOf(event),
  authorize: (event, _identity, right) => userOf(event)?.rights.includes(right) ?? false,
  // From there back to the jobs.
  signIn: '/?from=jobs',
  results: resultViews,
  ...(ADMIN_ORIGIN !== undefined && { origin: ADMIN_ORIGIN }),
})

/** When the server stops. */
export async function closeJobs(): Promise<void> {
  await jobs.close()
  await database.close()
}
