import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices } from '@sidelinja/jobs-kit'
import { embeddingsAnswer, gatewayReply, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { createHandler } from '../src/handler.ts'
import type { Result } from '../src/job.ts'

type Pair = { n: number; a: string; b: string }
type Question = { n: number; text: string }

/** What the model says: how two texts relate, and what becomes of a question. */
export interface Model {
  relate?: (a: string, b: string) => string
  word?: (text: string) => object
  /** Vectors, by text; default: all alike. */
  place?: (text: string) => number[]
}

/** A gateway, a database and a handler of their own. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  let model: Model = {}
  const gateway = await startGatewayStandIn({
    answerEmbeddings: (texts) => embeddingsAnswer(texts.map((text) => model.place?.(text) ?? [1, 0])),
    answer: ({ chat }) => {
      const data = JSON.parse(chat?.messages[1]?.content.split('\n')[1] ?? 'null') as { pairs?: Pair[]; questions?: Question[] }
      const pairs = data.pairs?.map(({ n, a, b }) => ({ n, relation: model.relate?.(a, b) ?? 'different' }))
      const asIs = { verdict: 'ok', neutral_text: null, changes: [], flags: [] }
      const questions = data.questions?.map(({ n, text }) => ({ n, ...asIs, ...model.word?.(text) }))
      return gatewayReply(JSON.stringify(pairs ? { pairs } : { questions }))
    },
  })
  const { db, pool } = database
  const handler = createHandler(createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } }))
  return {
    ...database,
    gateway,
    /** A collection with these questions and statements, and their ids in order. */
    async arrange(questions: readonly string[], statements: readonly string[] = [], settings: CollectionSettingsInput = {}) {
      const collectionNodeId = (await insertNode(db, { kind: 'collection', metadata: { jobs: settings } })).id
      const add = async (kind: string, content: string) => {
        const { id } = await insertNode(db, { kind, title: '', content })
        await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, id])
        return id
      }
      const ids: string[] = []
      for (const text of questions) ids.push(await add('question', text))
      const statementIds: string[] = []
      for (const text of statements) statementIds.push(await add('statement', text))
      return { collectionNodeId, ids, statementIds }
    },
    async run(answering: Model, { collectionNodeId, ids }: { collectionNodeId: string; ids: readonly string[] }): Promise<Result> {
      model = answering
      return (await runHandler<Result>(handler, { payload: { questionNodeIds: [...ids] }, job: { collectionNodeId }, db })).result
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}
