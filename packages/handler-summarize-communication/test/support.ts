import { createTestDatabase, insertNode, runHandler, type TestDatabase, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices, type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { readSummary, replaceSegments } from '@sidelinja/jobs-kit/storage'
import { type ChatRequest, type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Result, Summary } from '../src/job.ts'
import { chat } from './samples.ts'

export type Arranged = { collectionNodeId: string; nodeId: string }
type Answer = GatewayStandInOptions['answer']
type Pool = TestDatabase['pool']

export const tie = (pool: Pool, source: string, target: string, kind = 'contains') =>
  pool.query('insert into edges (source_id, target_id, kind) values ($1, $2, $3)', [source, target, kind])

/** A collection, and a chat in it with those messages: every other one tied the other way round. */
export async function arrangeChat(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  messages: readonly (readonly [author: string, text: string])[] = chat,
  { settings = {}, content = null }: { settings?: CollectionSettingsInput; content?: string | null } = {},
): Promise<Arranged> {
  const { id: collectionNodeId } = await insertNode(db, { metadata: JSON.stringify({ jobs: settings }) })
  const { id: nodeId } = await insertNode(db, { kind: 'chat', title: 'Styrechatten', content })
  await tie(pool, collectionNodeId, nodeId)
  await pool.query(
    `with said as (
       insert into nodes (kind, content, metadata, created_at)
       select 'message', text, jsonb_build_object('author', author), now() + n * interval '1 s' from unnest($2::text[], $3::text[]) with ordinality t (author, text, n)
       returning id, created_at)
     insert into edges (source_id, target_id, kind)
     select case n % 2 when 0 then $1 else id end, case n % 2 when 0 then id else $1 end, case n % 2 when 0 then 'contains' else 'belongs_to' end
     from (select id, row_number() over (order by created_at) as n from said) s`,
    [nodeId, messages.map(([author]) => author), messages.map(([, text]) => text)],
  )
  return { collectionNodeId, nodeId }
}

/** One database and one gateway for the tests of a file; `answers` says what the model answers from then on. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  let answer: Answer
  const gateway = await startGatewayStandIn({ answer: (request) => answer?.(request) })
  const db = database.db as unknown as Kysely<unknown>
  const services = createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } })
  const handler = createHandler(services)
  return {
    ...database,
    ...{ gateway, handler },
    answers(next: Answer) {
      answer = next
    },
    arrange: (messages?: readonly (readonly [string, string])[], options?: Parameters<typeof arrangeChat>[2]) =>
      arrangeChat(database, messages, options),
    /** Adds what was said, as a transcription leaves it. */
    async transcribe({ collectionNodeId, nodeId }: Arranged, texts: readonly string[]) {
      const rough = texts.map((text, n): RoughSegment => ({ startMs: n * 5_000, endMs: (n + 1) * 5_000, text, speaker: 'Marit' }))
      const transcript = { jobId: null, language: 'nb', segments: tidySegments(rough) }
      await db.transaction().execute((trx) => replaceSegments(trx, collectionNodeId, nodeId, transcript))
    },
    /** One attempt, as the queue makes it. */
    run: async ({ collectionNodeId, ...payload }: Partial<Arranged> & { mediaNodeId?: string }): Promise<Result> =>
      (await runHandler<Result>(handler, { payload, job: collectionNodeId === undefined ? {} : { collectionNodeId }, db })).result,
    async stored({ collectionNodeId, nodeId }: Arranged) {
      const found = await readSummary(db, collectionNodeId, nodeId)
      return found && { ...found, summary: (found.metadata as { summary: Summary }).summary }
    },
    /** Every row of the host's tables but those of one node, as text. */
    async hostRows(nodeId?: string): Promise<string> {
      const { rows } = await database.pool.query(
        `select to_jsonb(n)::text as row from nodes n where id is distinct from $1
         union all select to_jsonb(e)::text from edges e where $1::uuid is null or $1 not in (source_id, target_id)
         union all select to_jsonb(a)::text from node_access a order by 1`,
        [nodeId ?? null],
      )
      return JSON.stringify(rows)
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}

/** The data between the markers. */
export function dataOf(request: ChatRequest | undefined): {
  segments?: { segment: number; text: string; speaker?: string }[]
  summaries?: object[]
} {
  return JSON.parse(request?.messages[1]?.content.split('\n')[1] ?? 'null')
}
