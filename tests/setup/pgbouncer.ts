import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian puts it, and where root's search path ends in other places. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** The path of PgBouncer; null when this machine has none. With REQUIRE_ALL that is an error. */
export function findPgbouncer(): string | null {
  const path = folders.map((folder) => join(folder, 'pgbouncer')).find(isExecutable)
  if (path === undefined && process.env.REQUIRE_ALL) throw new Error('Not everything can run; needs pgbouncer: apt-get install pgbouncer')
  return path ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
