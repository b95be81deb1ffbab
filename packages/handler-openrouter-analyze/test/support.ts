import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices, type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { readAnalysis, replaceSegments } from '@sidelinja/jobs-kit/storage'
import { type GatewayStandInOptions, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Result } from '../src/job.ts'

/** What was said in a short programme; own text. */
export const council = [
  'God morgen og velkommen til Fjellradioen, jeg heter Maren Dahl.',
  'I dag skal vi snakke om kommunestyret og den nye fotballbanen.',
  'Kommunestyret sa ja til budsjettet i går kveld.',
  'Ordfører Ola Berg sier at banen skal stå ferdig til sommeren.',
  'Noen var glade, og andre var ikke like fornøyde.',
  'Etterpå snakker vi om været, for det kommer mer regn.',
  'Takk for at du hørte på.',
]

/** A gateway, a database and a handler of their own. */
export async function setup(server: TestServer, standIn: GatewayStandInOptions = {}) {
  const database = await createTestDatabase(server)
  const gateway = await startGatewayStandIn(standIn)
  // Typed for its tables, which `write` is not.
  const db = database.db as unknown as Kysely<unknown>
  const services = createServices({ db, gateway: { url: new URL(gateway.url), timeoutMs: 20_000 } })

  return {
    ...database,
    ...{ gateway, services },
    /** A collection, and a medium in it of which that was said, five seconds each. */
    async arrange(texts: readonly string[], settings: CollectionSettingsInput = {}) {
      const { id: collectionNodeId } = await insertNode(database.db, { metadata: JSON.stringify({ jobs: settings }) })
      const { id: mediaNodeId } = await insertNode(database.db, { kind: 'episode' })
      const rough = texts.map((text, n): RoughSegment => ({ startMs: n * 5_000, endMs: (n + 1) * 5_000, text }))
      await db
        .transaction()
        .execute((trx) =>
          replaceSegments(trx, collectionNodeId, mediaNodeId, { jobId: null, language: 'nb', segments: tidySegments(rough) }),
        )
      return { collectionNodeId, mediaNodeId }
    },
    /** One attempt, as the queue makes it. */
    async analyse({ collectionNodeId, mediaNodeId }: { collectionNodeId: string; mediaNodeId: string }, payload: object = {}) {
      return await runHandler<Result>(createHandler(services), {
        payload: { mediaNodeId, ...payload },
        ...{ job: { collectionNodeId }, db },
      })
    },
    stored: ({ collectionNodeId, mediaNodeId }: { collectionNodeId: string; mediaNodeId: string }) =>
      readAnalysis(db, collectionNodeId, mediaNodeId),
    async drop() {
      await gateway.close()
      await database.drop()
    },
  }
}
