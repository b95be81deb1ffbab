import { existsSync } from 'node:fs'
import type { MigrationSource } from '@sidelinja/jobs-core/admin'

/** The tables that handlers write. */
export const handlerMigrations: MigrationSource = {
  name: 'handlers',
  get folder() {
    // Beside the bundle when packed; at the root of the repository when run from source.
    const packed = new URL('./migrations/', import.meta.url)
    return existsSync(packed) ? packed : new URL('../../../../migrations/handlers/', import.meta.url)
  },
}
