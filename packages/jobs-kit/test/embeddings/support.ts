import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/** A PostgreSQL with pgvector, in this process; it takes one connection at a time. Migrated. */
export async function startPgvector() {
  const engine = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db: engine, port: 0, host: '127.0.0.1' })
  const listening = Promise.withResolvers<number>()
  server.addEventListener('listening', (event) => listening.resolve((event as CustomEvent<{ port: number }>).detail.port))
  await server.start()
  const pool = new pg.Pool({ host: '127.0.0.1', port: await listening.promise, user: 'postgres', database: 'postgres', max: 1 })
  // In a schema of its own, as some hosts have it.
  await pool.query('create schema extensions')
  await pool.query('create extension vector schema extensions')
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  return {
    pool,
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    async stop() {
      await pool.end()
      await server.stop()
      await engine.close()
    },
  }
}

/** Vectors in groups about as many centres, the same each time: what texts look like to a model. */
export function groupedVectors(count: number, dimensions: number): Float32Array[] {
  const next = random(7)
  const centres = Array.from({ length: 20 }, () => Array.from({ length: dimensions }, () => next() - 0.5))
  return Array.from({ length: count }, (_, index) => {
    const centre = centres[index % centres.length] ?? []
    const values = centre.map((value) => value + (next() - 0.5) * 0.6)
    const length = Math.hypot(...values)
    return Float32Array.from(values, (value) => value / length)
  })
}

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
