import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { type ChatRequest, type GatewayStandInOptions, gatewayReply, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { createHandler } from '../src/handler.ts'
import type { Clip, Payload, Result } from '../src/job.ts'

/** A research node as a page reads it. */
export type Stored = { title: string; content: string; metadata: { clip: Clip; [key: string]: unknown } }

/** A gateway, a database and a handler of their own. */
export async function setup(server: TestServer, standIn: GatewayStandInOptions = {}) {
  const database = await createTestDatabase(server)
  // Else every node with enough text has a job enqueued, and none that a text has asked for could be told from it.
  await database.pool.query('select suggest_edges_off()')
  const gateway = await startGatewayStandIn(standIn)
  const { db, pool } = database
  const handler = createHandler(createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } }))

  return {
    ...database,
    ...{ gateway, handler },
    collection: async () => (await insertNode(db)).id,
    /** One attempt of a job, as the queue makes it. */
    async run(payload: Payload, { collectionNodeId, jobId = randomUUID() }: { collectionNodeId: string; jobId?: string }): Promise<Result> {
      return (await runHandler<Result>(handler, { payload, job: { collectionNodeId, id: jobId }, db })).result
    },
    /** The collection's research nodes, by the edges that lead to them. */
    async stored(collectionNodeId: string): Promise<Stored[]> {
      const { rows } = await pool.query<Stored>(
        `select n.title, n.content, n.metadata from nodes n join edges e on e.target_id = n.id
         where e.source_id = $1 and e.kind = 'contains' and n.kind = 'research' order by n.created_at`,
        [collectionNodeId],
      )
      return rows
    },
    /** Every row of the host's tables but those of one node, as text. */
    async hostRows(nodeId?: string): Promise<string> {
      const { rows } = await pool.query(
        `select to_jsonb(n)::text as row from nodes n where id is distinct from $1
         union all select to_jsonb(e)::text from edges e where target_id is distinct from $1 union all select to_jsonb(a)::text from node_access a order by 1`,
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

/** A gateway that says of each clip what `say` says, beside what is always said. */
export function saying(say: (data: Data) => object): GatewayStandInOptions {
  return {
    answer: ({ chat }) => {
      if (!chat) return undefined
      const reply = { title: 'En tittel', summary: 'Et sammendrag.', source_type: 'news', key_claims: [], ...say(dataOf(chat)) }
      return gatewayReply(JSON.stringify({ noise_segments: [], ...reply }))
    },
  }
}

/** What is sent. */
export type Data = { segments?: { segment: number; text: string }[]; parts?: object[]; site?: string; title?: string }

/** The data between the markers. */
export function dataOf(chat: ChatRequest): Data {
  return JSON.parse(chat.messages[1]?.content.split('\n')[1] ?? 'null')
}
