import { userInfo } from 'node:os'

/**
 * How a PostgreSQL program is started here. PostgreSQL refuses to run as root, so root gets a user namespace in which it looks like
 * nobody: no user is created and a folder only root may enter still works. On Linux the server also ends when this process dies,
 * however it dies.
 */
export function asOrdinaryUser(command: string, args: string[]): [string, string[]] {
  if (process.platform !== 'linux') return [command, args]
  const bound = ['setpriv', '--pdeathsig', 'INT', command, ...args]
  if (userInfo().uid !== 0) return [bound[0] as string, bound.slice(1)]
  return ['unshare', ['--user', '--map-user=65534', '--map-group=65534', ...bound]]
}
