import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices } from '@sidelinja/jobs-kit'
import { type ChatRequest, type GatewayStandInOptions, gatewayReply, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { createHandler } from '../src/handler.ts'
import type { Mode, Payload, Result } from '../src/job.ts'

/** A gateway, a database and a handler of their own. */
export async function setup(server: TestServer, standIn: GatewayStandInOptions = {}) {
  const database = await createTestDatabase(server)
  // Else every node with enough text has a job enqueued, and none that a text has asked for could be told from it.
  await database.pool.query('select suggest_edges_off()')
  const gateway = await startGatewayStandIn(standIn)
  const { db, pool } = database
  const services = createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } })
  const handler = createHandler(services)
  const collection = async (settings: CollectionSettingsInput = {}) => (await insertNode(db, { metadata: { jobs: settings } })).id

  return {
    ...database,
    ...{ gateway, collection },
    /** A collection with a node of that content. */
    async arrange(content: string | null, settings: CollectionSettingsInput = {}) {
      const collectionNodeId = await collection(settings)
      const { id: nodeId } = await insertNode(db, { kind: 'note', title: 'Et notat', content })
      await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, nodeId])
      return { collectionNodeId, nodeId }
    },
    /** One attempt, as the queue makes it. */
    async run(payload: Payload, collectionNodeId?: string): Promise<Result> {
      const job = { collectionNodeId: collectionNodeId ?? (await collection()) }
      return (await runHandler<Result>(handler, { payload, job, db })).result
    },
    async content(nodeId: string): Promise<string | null> {
      return (await pool.query<{ content: string | null }>('select content from nodes where id = $1', [nodeId])).rows[0]?.content ?? null
    },
    /** Every row of the host's tables, but for the content of one node. */
    async hostRows(nodeId?: string): Promise<string> {
      const { rows } = await pool.query(
        `select case n.id when $1 then to_jsonb(n) - '{content,updated_at}'::text[] else to_jsonb(n) end::text as row from nodes n
         union all select to_jsonb(e)::text from edges e union all select to_jsonb(a)::text from node_access a order by 1`,
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

/** A gateway that makes of each text what `make` says. */
export function answering(make: (data: Data, chat: ChatRequest) => object | string): GatewayStandInOptions {
  return {
    answer: ({ chat }) => {
      const made = chat && make(dataOf(chat), chat)
      return made === undefined ? undefined : gatewayReply(JSON.stringify(typeof made === 'string' ? { text: made } : made))
    },
  }
}

/** What is sent. */
export type Data = { mode: Mode; text: string; summaries?: string[] }

/** The data between the markers. */
export function dataOf(chat: ChatRequest): Data {
  return JSON.parse(chat.messages[1]?.content.split('\n')[1] ?? 'null')
}
