import { readFile } from 'node:fs/promises'
import { enqueueByType, type JsonValue } from '@sidelinja/jobs-core'
import type { StorageDatabase } from '@sidelinja/jobs-kit/storage'
import type pg from 'pg'
import { COLLECTION_ID } from '../collection.ts'

/** A job about sample material, made once for each database. */
export interface Sample {
  /** Names its job, so that every start finds it again. */
  readonly key: string
  readonly type: string
  /** Puts the material where the job finds it. @returns the job's payload. */
  prepare(pool: pg.Pool): Promise<JsonValue>
  /** What came of it, as text; '' when there is nothing (yet). */
  show(db: StorageDatabase, pool: pg.Pool): Promise<string>
}

const correlationOf = ({ key }: Sample) => `sample ${key}`

/** Asks for what comes of the samples, but for what earlier starts have had. */
export async function enqueueSamples(pool: pg.Pool, samples: readonly Sample[]): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `select correlation_id as key from job_queue where collection_node_id = $1 and correlation_id = any ($2) and status = 'completed'`,
    [COLLECTION_ID, samples.map(correlationOf)],
  )
  const done = new Set(rows.map(({ key }) => key))
  const ids: string[] = []
  for (const sample of samples.filter((each) => !done.has(correlationOf(each)))) {
    const key = correlationOf(sample)
    const options = { collectionNodeId: COLLECTION_ID, correlationId: key, unique: { key, until: 'finished' as const } }
    ids.push((await enqueueByType(pool, sample.type, await sample.prepare(pool), options)).id)
  }
  return ids
}

/** What came of all of them. */
export async function showSamples(db: StorageDatabase, pool: pg.Pool, samples: readonly Sample[]): Promise<string> {
  const shown = await Promise.all(samples.map((sample) => sample.show(db, pool)))
  return shown.filter((text) => text !== '').join('\n')
}

/** A text of `samples/texts/`. */
export async function readSample(file: string): Promise<string> {
  return await readFile(new URL(`../../samples/texts/${file}`, import.meta.url), 'utf8')
}

/** A node of the collection, made where it is missing. */
export async function keepNode(
  pool: pg.Pool,
  {
    id,
    kind,
    title,
    content = null,
    metadata = {},
  }: { id: string; kind: string; title: string; content?: string | null; metadata?: object },
): Promise<void> {
  await pool.query(`insert into nodes (id, kind, title, content, metadata) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`, [
    ...[id, kind, title, content, JSON.stringify(metadata)],
  ])
  await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains') on conflict do nothing`, [COLLECTION_ID, id])
}
