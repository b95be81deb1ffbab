import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, runHandler, type TestDatabase, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices, type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { replaceSegments } from '@sidelinja/jobs-kit/storage'
import { type ChatRequest, type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Dictation, Payload, Result } from '../src/job.ts'
import { visit } from './samples.ts'

export type Arranged = { collectionNodeId: string; mediaNodeId: string }
type Answer = GatewayStandInOptions['answer']

/** A collection, and a dictation in it, each line a segment of five seconds. */
export async function arrangeDictation(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  text = visit,
  settings: CollectionSettingsInput = {},
): Promise<Arranged> {
  const { id: collectionNodeId } = await insertNode(db, { metadata: JSON.stringify({ jobs: settings }) })
  const { id: mediaNodeId } = await insertNode(db, { kind: 'dictation' })
  await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'private')`, [collectionNodeId, mediaNodeId])
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const rough = lines.map((line, n): RoughSegment => ({ startMs: n * 5_000, endMs: (n + 1) * 5_000, text: line }))
  const transcript = { jobId: null, language: 'no', segments: tidySegments(rough) }
  await (db as unknown as Kysely<unknown>).transaction().execute((trx) => replaceSegments(trx, collectionNodeId, mediaNodeId, transcript))
  return { collectionNodeId, mediaNodeId }
}

/** One database and one gateway for the tests of a file; `answers` says what the model answers from then on. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  let answer: Answer
  const gateway = await startGatewayStandIn({ answer: (request) => answer?.(request) })
  const db = database.db as unknown as Kysely<unknown>
  const handler = createHandler(createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } }))
  return {
    ...database,
    gateway,
    answers(next: Answer) {
      answer = next
    },
    arrange: (text?: string, settings?: CollectionSettingsInput) => arrangeDictation(database, text, settings),
    /** One attempt, as the queue makes it. */
    async run({
      collectionNodeId,
      jobId = randomUUID(),
      ...payload
    }: Payload & { collectionNodeId: string; jobId?: string }): Promise<Result> {
      return (await runHandler<Result>(handler, { payload, job: { collectionNodeId, id: jobId }, db })).result
    },
    async stored(nodeId: string | null) {
      const { rows } = await database.pool.query<{ kind: string; title: string; content: string; metadata: { dictation: Dictation } }>(
        'select kind, title, content, metadata from nodes where id = $1',
        [nodeId],
      )
      return rows[0] && { ...rows[0], dictation: rows[0].metadata.dictation }
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}

/** The data between the markers. */
export function dataOf(request: ChatRequest | undefined): { text?: string; titles?: string[]; names?: string[] } {
  return JSON.parse(request?.messages[1]?.content.split('\n')[1] ?? 'null')
}
