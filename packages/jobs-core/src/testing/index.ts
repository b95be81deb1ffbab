export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.ts'
export { createTestDatabase, inDatabase, type TestDatabase, type TestServer } from './test-database.ts'
