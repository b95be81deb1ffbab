import { ADMIN_DEMO_USERS } from '$app/env/private'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = ({ locals }) => ({
  user: locals.user && { name: locals.user.name, userId: locals.user.userId },
  demoUsers: ADMIN_DEMO_USERS.map(({ name, userId }) => ({ name, userId })),
})
