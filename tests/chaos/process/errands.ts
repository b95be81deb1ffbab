import { defineJob, enqueue } from '@sidelinja/jobs-core'
import { migrate } from '@sidelinja/jobs-core/admin'
import pg from 'pg'
import { cancel, retry } from '../arena/admin-actions.ts'
import type { Note } from '../history/process-log.ts'
import type { ProcessOptions } from './options.ts'
import { payload } from './payload.ts'

type Take = (note: Note) => void

const plain = defineJob({ type: 'chaos_plain', payload })
const laterMs = 3_600_000

/** Three jobs in one transaction of the application. */
export async function enqueueSome(options: ProcessOptions, note: Take): Promise<void> {
  const client = new pg.Client(options.connection)
  await client.connect()
  const tags = [1, 2, 3].map((n) => `${options.tag}:${n}`)
  await client.query('begin')
  const ids: string[] = []
  for (const tag of tags) {
    note({ kind: 'asked', tag })
    const { id } = await enqueue(client, plain, { ms: 0 }, { collectionNodeId: options.collectionNodeId, correlationId: tag })
    ids.push(id)
  }
  await client.query('commit')
  for (const [index, job] of ids.entries()) note({ kind: 'acknowledged', job, tag: tags[index] as string })
  await client.end()
}

export async function cancelOne(options: ProcessOptions, note: Take): Promise<void> {
  const pool = new pg.Pool({ connectionString: options.connection, max: 1 })
  await cancel(pool, await enqueueForLater(pool, options, note), note)
  await pool.end()
}

export async function retryOne(options: ProcessOptions, note: Take): Promise<void> {
  const pool = new pg.Pool({ connectionString: options.connection, max: 1 })
  const id = await enqueueForLater(pool, options, note)
  await cancel(pool, id, note)
  await retry(pool, id, note)
  await pool.end()
}

export async function migrateDatabase(options: ProcessOptions): Promise<void> {
  const pool = new pg.Pool({ connectionString: options.connection, max: 1 })
  await migrate(pool)
  await pool.end()
}

async function enqueueForLater(pool: pg.Pool, { collectionNodeId, tag }: ProcessOptions, note: Take): Promise<string> {
  note({ kind: 'asked', tag })
  const scheduledFor = new Date(Date.now() + laterMs)
  const { id } = await enqueue(pool, plain, { ms: 0 }, { collectionNodeId, correlationId: tag, scheduledFor })
  note({ kind: 'acknowledged', job: id, tag })
  return id
}
