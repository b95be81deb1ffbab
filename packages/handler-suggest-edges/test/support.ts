import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, chunkNode, createServices } from '@sidelinja/jobs-kit'
import { replaceEmbeddings } from '@sidelinja/jobs-kit/storage'
import { type GatewayStandInOptions, gatewayReply, hashedNgrams, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { createHandler } from '../src/handler.ts'
import type { Result } from '../src/job.ts'

/** Long enough for suggestions. */
export const note = `Bompengene på fastlandsveien til Steinøya øker fra nyttår, vedtok fylkestinget i går.
Ordfører Kari Nes mener at ferja må bli gratis når veien blir dyrere, og at skolen på Nes vil merke det: mange lærere pendler.
Saken kommer opp igjen på møtet i mars.`

/** A candidate as it was sent. */
export interface Sent {
  text: string
  candidates: { ref: string; name: string; kind: string; excerpt: string }[]
}

/** A gateway, a database and a handler of their own. `reply`: what the model says to what was sent. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  let reply: ((sent: Sent) => object) | undefined
  const options: GatewayStandInOptions = {
    answer: ({ chat }) => (reply && chat ? gatewayReply(JSON.stringify(reply(dataOf(chat.messages)))) : undefined),
  }
  const gateway = await startGatewayStandIn(options)
  const { db, pool } = database
  const handler = createHandler(createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } }))
  const add = async (collectionNodeId: string, node: { kind: string; title?: string; content?: string }) => {
    const { id } = await insertNode(db, node)
    await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, id])
    return id
  }
  return {
    ...database,
    gateway,
    add,
    answer(answering: ((sent: Sent) => object) | undefined) {
      reply = answering
    },
    collection: async (settings: CollectionSettingsInput = {}) =>
      (await insertNode(db, { kind: 'collection', metadata: { jobs: settings } })).id,
    /** As `generate_embeddings` leaves it. */
    async embed(collectionNodeId: string, nodeId: string, text: string) {
      const [values = []] = await hashedNgrams.embed([text])
      const length = Math.hypot(...values)
      const vector = Float32Array.from(values, (value) => value / length)
      const texts = chunkNode({ title: null, content: text }, 400).map((chunk) => ({ ...chunk, vector }))
      await db
        .transaction()
        .execute((trx) => replaceEmbeddings(trx, collectionNodeId, nodeId, { jobId: null, model: 'sidelinja/embed', texts }))
    },
    async run(collectionNodeId: string, nodeId: string): Promise<Result> {
      return (await runHandler<Result>(handler, { payload: { nodeId }, job: { collectionNodeId }, db })).result
    },
    async edges(nodeId: string) {
      const { rows } = await pool.query(
        'select target_id, kind, status, metadata from edges where source_id = $1 order by kind, target_id',
        [nodeId],
      )
      return rows
    },
    async jobs() {
      const { rows } = await pool.query(
        `select collection_node_id, payload ->> 'nodeId' as node_id, priority, scheduled_for - now() > interval '110 seconds' as later from job_queue
         where job_type = 'suggest_edges' order by sequence`,
      )
      return rows
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}

function dataOf(messages: readonly { content: string }[]): Sent {
  return JSON.parse(messages[1]?.content.split('\n')[1] ?? 'null')
}
