export { type MigrateOptions, type MigrationStatus, migrate, migrationStatus } from './migrate/migrate.ts'
export { type MigrationSource, queueMigrations } from './migrate/migration-source.ts'
