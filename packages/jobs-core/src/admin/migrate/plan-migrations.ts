import { ConfigurationError } from '../../errors/configuration-error.ts'
import type { Migration } from './read-migrations.ts'

/**
 * What is left to apply. Names the database knows and this package does not are a newer release's: left alone, so that old and
 * new code can run side by side during an upgrade.
 */
export function planMigrations(known: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  for (const migration of known) {
    const checksum = applied.get(migration.name)
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new ConfigurationError(
        'MIGRATION_EDITED',
        `Migration ${migration.name} was applied with other contents than this package carries (expected checksum ${checksum.slice(0, 12)}…, got ${migration.checksum.slice(0, 12)}…). Migrations are only added, never edited: install the release that was used before, or restore the file.`,
      )
    }
  }
  return known.filter((migration) => !applied.has(migration.name))
}
