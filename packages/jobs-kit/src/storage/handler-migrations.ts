import { existsSync } from 'node:fs'
import type { MigrationSource } from '@sidelinja/jobs-core/admin'

/** The tables that handlers write. */
export const handlerMigrations: MigrationSource = {
  name: 'handlers',
  get folder() {
    return folderOf('./migrations/', 'handlers')
  },
}

/** Optional: row-level security on the tables that handlers write. Give it last, wherever the queue's `roleMigrations` are given. */
export const handlerRoleMigrations: MigrationSource = {
  name: 'handler-roles',
  get folder() {
    return folderOf('./migrations/roles/', 'handler-roles')
  },
}

/** Beside the bundle when packed; at the root of the repository when run from source. */
function folderOf(packed: string, source: string): URL {
  const folder = new URL(packed, import.meta.url)
  return existsSync(folder) ? folder : new URL(`../../../../migrations/${source}/`, import.meta.url)
}
