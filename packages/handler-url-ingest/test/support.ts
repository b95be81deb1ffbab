import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { type ChatRequest, type GatewayRequest, gatewayReply, startGatewayStandIn, startSiteStandIn } from '@sidelinja/jobs-kit/testing'
import { createHandler } from '../src/handler.ts'
import type { Clip, Payload, Result } from '../src/job.ts'
import { page } from './samples.ts'

/** A clip as a page of the application reads it. */
export type Stored = { id: string; title: string; content: string; metadata: { clip: Clip & { written: string } } }

/** A site, a gateway, a database and a handler of their own, for the tests of a file. */
export async function setup(server: TestServer, { suggestions = false } = {}) {
  const database = await createTestDatabase(server)
  // Else every node with enough text has a job enqueued, and none that a page has asked for could be told from it.
  if (!suggestions) await database.pool.query('select suggest_edges_off()')
  const site = await startSiteStandIn({ pages: { '/sak': page() } })
  let say: ((data: Data) => object) | undefined
  const gateway = await startGatewayStandIn({ answer: (request) => (say === undefined ? undefined : answerOf(request, say)) })
  const { db, pool } = database
  const handler = createHandler(createServices({ db, gateway: { url: new URL(gateway.url) }, web: site.web }))

  return {
    ...database,
    ...{ site, gateway, handler },
    /** From now on the gateway says so of each page; without, the demo model answers. */
    saying(next?: (data: Data) => object) {
      say = next
    },
    collection: async () => (await insertNode(db)).id,
    /** One attempt of a job, as the queue makes it, and how many questions it cost. */
    async run(payload: Payload, collectionNodeId: string, jobId: string = randomUUID()): Promise<Result & { questions: number }> {
      const before = gateway.requests.length
      const { result } = await runHandler<Result>(handler, { payload, job: { collectionNodeId, id: jobId }, db })
      return { ...result, questions: gateway.requests.length - before }
    },
    /** The collection's clips, by the edges that lead to them: one that two lead to is there twice. */
    async clips(collectionNodeId: string): Promise<Stored[]> {
      const { rows } = await pool.query<Stored>(
        `select n.id, n.title, n.content, n.metadata from nodes n join edges e on e.target_id = n.id
         where e.source_id = $1 and e.kind = 'contains' and n.kind = 'clip' order by n.created_at, n.title`,
        [collectionNodeId],
      )
      return rows
    },
    async drop() {
      await Promise.all([gateway.close(), site.close()])
      await database.drop()
    },
  }
}

/** The data between the markers. */
export type Data = { segments?: { segment: number; text: string }[]; parts?: object[]; site?: string; title?: string }

/** What is sent. */
export function dataOf(chat: ChatRequest): Data {
  return JSON.parse(chat.messages[1]?.content.split('\n')[1] ?? 'null')
}

function answerOf({ chat }: GatewayRequest, say: (data: Data) => object) {
  if (!chat) return undefined
  const always = { title: 'En tittel', summary: 'Et sammendrag.', source_type: 'news', key_claims: [] }
  return gatewayReply(JSON.stringify({ ...always, ...say(dataOf(chat)) }))
}
