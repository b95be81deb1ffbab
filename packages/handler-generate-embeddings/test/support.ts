import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices } from '@sidelinja/jobs-kit'
import { type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { createHandler } from '../src/handler.ts'
import type { Payload, Result } from '../src/job.ts'

/** A gateway, a database and a handler of their own. */
export async function setup(server: TestServer, standIn: GatewayStandInOptions = {}) {
  const database = await createTestDatabase(server)
  const gateway = await startGatewayStandIn(standIn)
  const { db, pool } = database
  const services = createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } })
  const handler = createHandler(services)
  let told = 0
  return {
    ...database,
    gateway,
    handler,
    /** A collection with a node of that content. */
    async arrange(content: string | null, settings: CollectionSettingsInput = {}, title: string | null = null) {
      const collectionNodeId = (await insertNode(db, { metadata: { jobs: settings } })).id
      const { id: nodeId } = await insertNode(db, { kind: 'note', title, content })
      await pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, nodeId])
      return { collectionNodeId, nodeId }
    },
    /** One attempt, as the queue makes it. */
    async run(payload: Payload, collectionNodeId: string): Promise<Result> {
      return (await runHandler<Result>(handler, { payload, job: { collectionNodeId }, db })).result
    },
    /** The texts that were sent since the last time, call by call. */
    sent(): string[][] {
      const requests = gateway.requests.slice(told)
      told += requests.length
      return requests.map(({ body }) => (JSON.parse(body) as { input: string[] }).input)
    },
    async rows(nodeId: string): Promise<Row[]> {
      const { rows } = await pool.query<Row>(
        'select seq, text, start_ms, end_ms, model, embedding from node_embeddings where node_id = $1 order by seq',
        [nodeId],
      )
      return rows
    },
    async setContent(nodeId: string, content: string): Promise<void> {
      await pool.query('update nodes set content = $2 where id = $1', [nodeId, content])
    },
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}

/** As stored. */
export interface Row {
  seq: number
  text: string
  start_ms: number | null
  end_ms: number | null
  model: string
  embedding: number[]
}

/** Three sections, each long enough for a text of its own. */
export function article(change: Partial<Record<'ferry' | 'school' | 'budget', string>> = {}): string {
  const sections = {
    ferry: 'Ferja til Steinøya skal gå på strøm fra neste sommer, sier fylket.',
    school: 'Skolen på Nes får nytt tak og nye vinduer før høsten.',
    budget: 'Kommunestyret vedtok budsjettet med knapt flertall i går kveld.',
    ...change,
  }
  return Object.entries(sections)
    .map(([heading, text]) => `# ${heading}\n\n${text}\n`)
    .join('\n')
}
