import { readFile } from 'node:fs/promises'
import { cosine } from '@sidelinja/jobs-kit'
import { type Embedder, hashedNgrams } from '@sidelinja/jobs-kit/testing'
import { createEnglishEmbedder } from '../apps/playground/src/vectors/english-embedder.ts'
import { blockPairs } from '../packages/handler-valgomat-moderation/src/block-pairs.ts'
import { letterLikeness } from '../packages/handler-valgomat-moderation/src/letter-likeness.ts'

/**
 * Which pairs of questions `valgomat_moderation` should have a model decide: of pairs in Norwegian that ask the same, ask the opposite, or only deal with the same thing, how many come to it by their cosine, and by being among each
 * other's nearest. Two embedders: a small real model, which knows English, and hashed letter groups, which are no model.
 * Usage: node --conditions=@sidelinja/source bench/question-pairs.ts
 */
interface Pairs {
  same: [string, string][]
  opposite: [string, string][]
  different: [string, string][]
}
const pairs = JSON.parse(await readFile(new URL('question-pairs.json', import.meta.url), 'utf8')) as Pairs
const texts = [...new Set(Object.values(pairs).flat(2) as string[])]
const named = new Set(Object.values(pairs).flatMap((list: [string, string][]) => list.map((pair) => keyOf(...pair))))
const others = texts
  .flatMap((a, index) => texts.slice(index + 1).map((b): [string, string] => [a, b]))
  .filter((pair) => !named.has(keyOf(...pair)))

for (const embedder of [createEnglishEmbedder(), hashedNgrams]) await measure(embedder)

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
  const cosines = Object.fromEntries(
    [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2].map((least) => [`cosine ≥ ${least}`, row((a, b) => near(a, b) >= least)]),
  )
  const ranks = Object.fromEntries([1, 3, 5, 10].map((most) => [`nearest ${most}`, row((a, b) => rank(a, b) < most)]))
  const alike = letterLikeness(texts)
  const byLetters = new Map(
    texts.map((text) => [text, texts.filter((other) => other !== text).toSorted((x, y) => alike(text, y) - alike(text, x))]),
  )
  const letterRank = (a: string, b: string) => Math.min((byLetters.get(a) ?? []).indexOf(b), (byLetters.get(b) ?? []).indexOf(a))
  const letters = Object.fromEntries([3, 5].map((most) => [`nearest ${most} by letters`, row((a, b) => letterRank(a, b) < most)]))
  const placed = texts.map((text) => ({ id: text, text, vector: vectors.get(text) ?? new Float32Array() }))
  const blocked = new Set(blockPairs(placed, []).map(({ a, b }) => keyOf(a.id, b.id)))
  const both = { 'as it is done': row((a, b) => blocked.has(keyOf(a, b))) }
  console.log(`\n${embedder.name}: ${texts.length} questions, which pairs are asked about`)
  console.table({ ...cosines, ...ranks, ...letters, ...both })
}

function unit(values: ArrayLike<number>): Float32Array {
  const length = Math.hypot(...Array.from(values))
  return Float32Array.from(values, (value) => value / length)
}

function keyOf(a: string, b: string): string {
  return [a, b].toSorted().join('\n')
}
