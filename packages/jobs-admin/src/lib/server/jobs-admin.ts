import type { AdminEvent } from './admin-event.ts'
import { createAdmin, type JobsAdmin } from './create-admin.ts'
import type { JobsAdminOptions } from './options.ts'
import { routes } from './routes.ts'

/**
 * Mounts the admin page and its endpoints in a SvelteKit host: `export const handle = sequence(session, jobsAdmin({ … }).handle)`.
 * @throws ConfigurationError `ADMIN_OPTION_MISSING`, `ADMIN_OPTION_INVALID`
 */
export function jobsAdmin<Event extends AdminEvent>(options: JobsAdminOptions<Event>): JobsAdmin<Event> {
  return createAdmin(options, routes)
}
