import { existsSync } from 'node:fs'

/** A folder of numbered SQL files that belong to one package. */
export interface MigrationSource {
  /** Stands before the file's name in `job_migrations`: `queue/0001_host_tables`. */
  readonly name: string
  readonly folder: URL
}

/** The queue's own tables and functions. */
export const queueMigrations: MigrationSource = {
  name: 'queue',
  get folder() {
    return folderOf('./migrations/', 'queue')
  },
}

/**
 * Optional: group roles for the processes around the queue, row-level security on its tables, and enqueue functions that run as the
 * queue's owner. Give it after {@link queueMigrations}, and from then on always. Running workers keep working.
 */
export const roleMigrations: MigrationSource = {
  name: 'roles',
  get folder() {
    return folderOf('./migrations/roles/', 'roles')
  },
}

/** Beside the bundle when packed; at the root of the repository when run from source. */
function folderOf(packed: string, source: string): URL {
  const folder = new URL(packed, import.meta.url)
  return existsSync(folder) ? folder : new URL(`../../../../../migrations/${source}/`, import.meta.url)
}
