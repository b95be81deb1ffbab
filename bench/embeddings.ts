import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { cosine } from '@sidelinja/jobs-kit'
import { handlerMigrations, readEmbeddingMode, replaceEmbeddings, searchEmbeddings } from '@sidelinja/jobs-kit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/**
 * Time and recall of a search among the texts of one collection: by comparing each, on an embedded PostgreSQL, and by pgvector's index, on PGlite, which is PostgreSQL in WebAssembly and
 * slower than one that is installed. Vectors lie about centres, as texts of one subject do. Recall: of the ten nearest so many are found.
 * Usage: node --conditions=@sidelinja/source bench/embeddings.ts [texts=5000] [dimensions=512]
 */
const [texts = 5_000, dimensions = 512] = process.argv.slice(2).map(Number)
const searches = 20
const model = 'sidelinja/embed'
const vectors = groupedVectors(texts + searches)
const queries = vectors.slice(texts)

const server = await startEmbeddedPostgres()
const plain = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
plain.on('error', () => {}) // the server stops before the last socket is closed
await measure(plain)
await plain.end()
await server.stop()

const engine = await PGlite.create({ extensions: { vector } })
const socket = new PGLiteSocketServer({ db: engine, port: 0, host: '127.0.0.1' })
const listening = Promise.withResolvers<number>()
socket.addEventListener('listening', (event) => listening.resolve((event as CustomEvent<{ port: number }>).detail.port))
await socket.start()
const indexed = new pg.Pool({ host: '127.0.0.1', port: await listening.promise, user: 'postgres', database: 'postgres', max: 1 })
await indexed.query('create extension vector')
await measure(indexed)
await indexed.end()
await socket.stop()
await engine.close()

async function measure(pool: pg.Pool): Promise<void> {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const { rows } = await pool.query<{ id: string }>(`insert into nodes (kind) values ('collection'), ('note') returning id`)
  const [collection = '', node = ''] = rows.map(({ id }) => id)
  await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, node])
  const all = vectors.slice(0, texts).map((each, index) => ({
    ...{ hash: index.toString(16).padStart(64, '0'), text: `Text ${index}`, startMs: null, endMs: null, vector: each },
  }))
  const filled = performance.now()
  await db.transaction().execute((trx) => replaceEmbeddings(trx, collection, node, { jobId: null, model, texts: all }))
  const fillMs = performance.now() - filled
  await pool.query('vacuum analyze node_embeddings')

  let found = 0
  const times: number[] = []
  for (const query of queries) {
    const started = performance.now()
    const hits = await searchEmbeddings(db, collection, { vector: query, model, limit: 10 })
    times.push(performance.now() - started)
    const best = new Set(nearest(query))
    found += hits.filter(({ seq }) => best.has(seq)).length
  }
  const { mode, version } = await readEmbeddingMode(db)
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const by = mode === 'array' ? 'comparing each' : `pgvector ${version} in PGlite`
  console.log(
    `${by}: ${texts} texts of ${dimensions} numbers: ${median.toFixed(1)} ms a search (median of ${searches}), recall ${((found / searches / 10) * 100).toFixed(1)} %; stored in ${(fillMs / texts).toFixed(2)} ms each`,
  )
}

function nearest(query: Float32Array): number[] {
  const similar = vectors.slice(0, texts).map((each, seq) => ({ seq, similarity: cosine(query, each) }))
  return similar
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, 10)
    .map(({ seq }) => seq)
}

function groupedVectors(count: number): Float32Array[] {
  const centres = Array.from({ length: 50 }, () => Array.from({ length: dimensions }, () => Math.random() - 0.5))
  return Array.from({ length: count }, (_, index) => {
    const values = (centres[index % centres.length] ?? []).map((value) => value + (Math.random() - 0.5) * 0.6)
    const length = Math.hypot(...values)
    return Float32Array.from(values, (value) => value / length)
  })
}
