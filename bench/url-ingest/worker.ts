import urlIngest from '@sidelinja/handler-url-ingest'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { createHandlers, createServices } from '@sidelinja/jobs-kit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/** A worker of one type, as bench/url-ingest.ts starts it. */
const { connectionString, gatewayUrl, siteHost } = JSON.parse(process.argv[2] ?? '{}')
const pool = new pg.Pool({ connectionString, max: 2 })
const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
const services = createServices({ db, gateway: { url: new URL(gatewayUrl) }, web: { allowLocal: [siteHost] } })
const worker = createWorker({ connection: connectionString, handlers: createHandlers([urlIngest], services) })
process.once('SIGTERM', () => void worker.stop().then(() => pool.end()))
await worker.start()
console.log('started')
