import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@sidelinja/jobs-core'
import { insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import {
  type AskContext,
  type CollectionSettings,
  type CollectionSettingsInput,
  createServices,
  type EmbeddingRequest,
  type GatewayConfig,
  type Prompt,
  parseCollectionSettings,
  type Question,
} from '@sidelinja/jobs-kit'
import { type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { z } from 'zod'

const reply = z.object({ summary: z.string(), action_points: z.array(z.string()) })
const question: Question<typeof reply> = {
  ...{
    name: 'sum-up',
    model: 'routine',
    instructions: 'Sum up.',
    data: { text: 'Rådet sa ja til budsjettet.' },
    reply,
    promptVersion: 'test/1',
  },
}

const samplePrompt: Prompt = {
  ...{ name: 'm1-t1', model: 'sidelinja/rutine', messages: [{ role: 'user', content: 'Hei' }], promptVersion: 'test/1' },
  ...{ maxTokens: 100, temperature: 0 },
}

/** A gateway, and a job whose steps are kept from one attempt to the next. `elsewhere`: another server is asked. */
export async function arrangeAsking(
  { db, pool }: TestDatabase,
  options: GatewayStandInOptions = {},
  {
    settings: given = {},
    elsewhere,
    gateway: more = {},
  }: { settings?: CollectionSettingsInput; elsewhere?: URL; gateway?: Partial<GatewayConfig> } = {},
) {
  const standIn = await startGatewayStandIn({ apiKey: 'hemmelig', ...options })
  const url = elsewhere ?? new URL(standIn.url)
  const { gateway } = createServices({ db, gateway: { url, apiKey: 'hemmelig', timeoutMs: 10_000, ...more } })
  const collectionNodeId = (await insertNode(db)).id
  const settings = parseCollectionSettings(collectionNodeId, given as JsonValue)
  const steps = new Map<string, JsonValue>()
  const job = { id: randomUUID(), type: 'ai_test', collectionNodeId, run: 1, priority: 5 } as AskContext['job']
  const controller = new AbortController()
  const warnings: unknown[][] = []
  const context: AskContext = {
    job,
    signal: controller.signal,
    log: { debug() {}, info() {}, warn: (...said) => warnings.push(said), error() {} },
    async step<T extends JsonValue>(name: string, fn: () => Promise<T>) {
      if (!steps.has(name)) steps.set(name, await fn())
      return steps.get(name) as T
    },
  }
  const calls = async () => (await pool.query('select * from ai_calls where collection_node_id = $1 order by id', [collectionNodeId])).rows
  return {
    ask: (more: Partial<Question<typeof reply>> = {}, changed: Partial<CollectionSettings> = {}) =>
      gateway.ask(context, { ...settings, ...changed }, { ...question, ...more }),
    complete: (prompt: Partial<Prompt> = {}) => gateway.complete(context, settings, { ...samplePrompt, ...prompt }),
    embed: (request: EmbeddingRequest) => gateway.embed(context, settings, request),
    ...{ standIn, collectionNodeId, calls, steps, job, controller, warnings },
  }
}
