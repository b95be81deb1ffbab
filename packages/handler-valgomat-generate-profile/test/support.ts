import { createTestDatabase, insertNode, runHandler, type TestDatabase, type TestServer } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { listProfiles } from '@sidelinja/jobs-kit/storage'
import { type ChatRequest, type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Payload, Profile, Result } from '../src/job.ts'
import { programme, statements } from './samples.ts'

export type Arranged = { collectionNodeId: string; programmeNodeId: string; statementNodeIds: string[] }
type Answer = GatewayStandInOptions['answer']

/** A collection with a programme and statements. */
export async function arrangeProgramme(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  { content = programme, about = statements }: { content?: string | null; about?: readonly string[] } = {},
): Promise<Arranged> {
  const { id: collectionNodeId } = await insertNode(db)
  const tie = (id: string) =>
    pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, id])
  const { id: programmeNodeId } = await insertNode(db, { kind: 'programme', title: 'Program', content })
  await tie(programmeNodeId)
  const statementNodeIds: string[] = []
  for (const title of about) {
    const { id } = await insertNode(db, { kind: 'statement', title })
    await tie(id)
    statementNodeIds.push(id)
  }
  return { collectionNodeId, programmeNodeId, statementNodeIds }
}

/** One database and one gateway for the tests of a file; `answers` says what the model answers from then on. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  // Else every node with enough text has a job enqueued, and none that a text has asked for could be told from it.
  await database.pool.query('select suggest_edges_off()')
  let answer: Answer
  const gateway = await startGatewayStandIn({ answer: (request) => answer?.(request) })
  const db = database.db as unknown as Kysely<unknown>
  const handler = createHandler(createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } }))
  return {
    ...database,
    ...{ gateway, storage: db },
    answers(next: Answer) {
      answer = next
    },
    arrange: (options?: Parameters<typeof arrangeProgramme>[1]) => arrangeProgramme(database, options),
    /** One attempt, as the queue makes it. */
    async run({ collectionNodeId, programmeNodeId }: Arranged, payload: Partial<Payload> = {}): Promise<Result> {
      const asked = { payload: { party: 'Bygdelista', programmeNodeId, ...payload }, job: { collectionNodeId }, db }
      return (await runHandler<Result>(handler, asked)).result
    },
    async draft({ collectionNodeId }: Arranged) {
      const [draft] = await listProfiles(db, collectionNodeId, { state: 'draft' })
      return draft && { ...draft, content: draft.content as Profile }
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}

/** The data between the markers. */
export function dataOf(request: ChatRequest | undefined): {
  statements: { ref: string; text: string; said?: { stance: number; page: number; quote: string }[] }[]
  pages?: { page: number; text: string }[]
} {
  return JSON.parse(request?.messages[1]?.content.split('\n')[1] ?? 'null')
}
