import { createTestDatabase, insertNode, runHandler, type TestDatabase, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices, type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { readMinutes, replaceSegments } from '@sidelinja/jobs-kit/storage'
import { type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Minutes, Payload, Result } from '../src/job.ts'
import { board } from './samples.ts'

export type Arranged = { collectionNodeId: string; mediaNodeId: string }
type Answer = GatewayStandInOptions['answer']

/** A collection, and a meeting in it at which that was said, five seconds each. */
export async function arrangeMeeting(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  texts: readonly string[] = board,
  { settings = {}, metadata = {} }: { settings?: CollectionSettingsInput; metadata?: object } = {},
): Promise<Arranged> {
  const { id: collectionNodeId } = await insertNode(db, { metadata: JSON.stringify({ jobs: settings }) })
  const { id: mediaNodeId } = await insertNode(db, { kind: 'meeting', metadata: JSON.stringify(metadata) })
  await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, mediaNodeId])
  const rough = texts.map((text, n): RoughSegment => ({ startMs: n * 5_000, endMs: (n + 1) * 5_000, text }))
  const transcript = { jobId: null, language: 'nb', segments: tidySegments(rough) }
  await (db as unknown as Kysely<unknown>).transaction().execute((trx) => replaceSegments(trx, collectionNodeId, mediaNodeId, transcript))
  return { collectionNodeId, mediaNodeId }
}

/** One database and one gateway for the tests of a file; `answers` says what the model answers from then on. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  let answer: Answer
  const gateway = await startGatewayStandIn({ answer: (request) => answer?.(request) })
  const db = database.db as unknown as Kysely<unknown>
  const services = createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } })
  return {
    ...database,
    gateway,
    answers(next: Answer) {
      answer = next
    },
    arrange: (texts?: readonly string[], options?: Parameters<typeof arrangeMeeting>[2]) => arrangeMeeting(database, texts, options),
    /** One attempt, as the queue makes it. */
    async run({ collectionNodeId, mediaNodeId }: Arranged, payload: Omit<Payload, 'mediaNodeId'> = {}): Promise<Result> {
      const asked = { payload: { mediaNodeId, ...payload }, job: { collectionNodeId }, db }
      return (await runHandler<Result>(createHandler(services), asked)).result
    },
    async stored({ collectionNodeId, mediaNodeId }: Arranged) {
      const found = await readMinutes(db, collectionNodeId, mediaNodeId)
      return found && { ...found, content: found.content as Minutes }
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}
