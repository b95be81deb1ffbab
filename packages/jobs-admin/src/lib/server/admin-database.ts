/** The page's own connections, of `openAdminDatabase`: as a login that is a member of queue_web. */
export type { AdminDatabase } from '@sidelinja/jobs-core/admin'
