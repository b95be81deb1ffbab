import { ConfigurationError } from '../errors/configuration-error.ts'
import { checkRole, type RolePower } from '../queue/check-role.ts'
import type { SessionParts } from './running-session.ts'

const meanings: Record<RolePower, string> = {
  superuser: 'is a superuser or may become one',
  bypassrls: 'has BYPASSRLS or may become a role that has it',
  owner: "owns the queue's tables or may become their owner",
}

/**
 * Tells of a role that row-level security does not bind.
 * @throws ConfigurationError `ROLE_UNBOUND` with `strictRoles`
 */
export async function reportRole({ settings, queue, emit }: Pick<SessionParts, 'settings' | 'queue' | 'emit'>): Promise<void> {
  const { role, powers } = await checkRole(queue)
  if (powers.length === 0) return
  if (!settings.strictRoles) return emit({ name: 'role.unbound', role, powers })
  throw new ConfigurationError(
    'ROLE_UNBOUND',
    `The worker's role ${role} ${powers.map((power) => meanings[power]).join(' and ')}: row-level security does not bind it. Give the worker a login of its own that is a member of queue_worker and of nothing else.`,
  )
}
