import { startEmbeddedPostgres } from '../../src/testing/embedded-postgres/start-embedded-postgres.ts'

// A process that serves the data folder it is given until it is killed; the test does that.
process.once('disconnect', () => process.exit())
const server = await startEmbeddedPostgres({ dataFolder: process.argv[2] ?? '', durable: true })
console.log(server.connectionString())
