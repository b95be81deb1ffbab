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
    // Beside the bundle when packed; at the root of the repository when run from source.
    const packed = new URL('./migrations/', import.meta.url)
    return existsSync(packed) ? packed : new URL('../../../../../migrations/queue/', import.meta.url)
  },
}
