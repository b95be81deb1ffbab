import { listModerations } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { setup } from './support.ts'

// A full job, and what crowds in it.

let t: Awaited<ReturnType<typeof setup>>
let before = 0
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())
beforeEach(() => {
  before = t.gateway.requests.length
})

const keep = 'Skolen på Nes bør beholdes.'
const numbered = Array.from({ length: 100 }, (_, n) => `Vei nummer ${n} på Nes bør få nytt dekke.`)
const stored = (collectionNodeId: string) => listModerations(t.db, collectionNodeId, { limit: 500 })
const sent = () => t.gateway.requests.slice(before).map(({ body }) => body)
const pairsAsked = () => sent().reduce((sum, body) => sum + (body.match(/\\"a\\":/g)?.length ?? 0), 0)

test('the same words ask the same: no model is asked, all are one cluster with one wording, and each keeps its own words', async () => {
  const texts = Array.from({ length: 100 }, (_, n) =>
    n % 3 === 0 ? keep : n % 3 === 1 ? ` ${keep.toUpperCase()}` : 'Skolen på  Nes bør beholdes',
  )
  const arranged = await t.arrange([...texts.slice(0, 99), 'Legg ned skolen på Nes!'])
  const relate = () => 'opposite'
  const word = () => ({ verdict: 'ok', flags: ['uklar'] })
  expect(await t.run({ relate, word }, arranged)).toMatchObject({ questions: 100, clusters: 2, undecided: 0, stored: 100 })
  expect(pairsAsked()).toBe(1)
  const [first = '', second = '', last = ''] = [arranged.ids[0], arranged.ids[1], arranged.ids.at(-1)]
  const all = await stored(arranged.collectionNodeId)
  expect(all.find(({ questionId }) => questionId === second)).toMatchObject({
    ...{ original: keep.toUpperCase(), clusterOf: first, flags: ['uklar'], verdict: 'ok', opposites: [last] },
  })
  expect(all.find(({ questionId }) => questionId === last)?.opposites).toHaveLength(99)
})

test('a paraphrase is not crowded out by copies', async () => {
  const arranged = await t.arrange([...Array.from({ length: 30 }, () => keep), 'Bevar skolen på Nes!'])
  expect(await t.run({ relate: () => 'same' }, arranged)).toMatchObject({ questions: 31, clusters: 1 })
})

test('a statement that is there is not crowded out by questions', async () => {
  const arranged = await t.arrange(numbered.slice(0, 40), ['Skolen på Nes bør bestå.'])
  const relate = (a: string, b: string) => ([a, b].some((text) => text.includes('Skolen')) ? 'same' : 'different')
  expect(await t.run({ relate }, arranged)).toMatchObject({ duplicates: 40 })
})

test('of a hundred questions and two hundred statements, all near, so many pairs are asked about that each has its nearest', async () => {
  const statements = Array.from({ length: 200 }, (_, n) => `Bro nummer ${n} på Vik bør males.`)
  const arranged = await t.arrange(numbered, statements)
  expect(await t.run({ relate: () => 'different' }, arranged)).toMatchObject({ questions: 100, clusters: 100 })
  expect(pairsAsked()).toBeGreaterThan(400)
  expect(pairsAsked()).toBeLessThanOrEqual(100 * (5 + 5 + 3 + 3))
})

test('where all are opposites each stands alone', async () => {
  const arranged = await t.arrange(numbered.slice(0, 12))
  expect(await t.run({ relate: () => 'opposite' }, arranged)).toMatchObject({ clusters: 12, duplicates: 0 })
  for (const { opposites } of await stored(arranged.collectionNodeId)) expect(opposites.length).toBeGreaterThan(0)
})

test('where a model contradicts itself opposites stay apart, whoever is the same as whom in between', async () => {
  const [one, two, three] = ['Skolen på Nes bør bestå.', 'Skolen på Nes, hva med den?', 'Skolen på Nes bør rives.']
  const arranged = await t.arrange([one, two, three])
  const relate = (a: string, b: string) => ([a, b].includes(two) ? 'same' : 'opposite')
  expect(await t.run({ relate }, arranged)).toMatchObject({ clusters: 2 })
  const clusters = (await stored(arranged.collectionNodeId)).map(({ questionId, clusterOf }) => [
    arranged.ids.indexOf(questionId),
    clusterOf,
  ])
  expect(new Map(clusters as [number, string][]).get(0)).not.toBe(new Map(clusters as [number, string][]).get(2))
})

test.each([
  ['Skolen på Nes bør beholdes!', 'Skolen på Nes bør legges ned.'],
  ['Eiendomsskatten må ned, bør den ikke senkes?', 'Eiendomsskatten bør ikke økes og bør heves.'],
  ['Skattane bør aukast no!', 'Skattane bør senkast.'],
])('“%s” is not worded as “%s”, though the model says that both are the same', async (question, neutral_text) => {
  const arranged = await t.arrange([question])
  const word = () => ({ verdict: 'rewrite', neutral_text })
  expect(await t.run({ word, relate: () => 'same' }, arranged)).toMatchObject({ reworded: 0, moved: 1 })
  expect(await stored(arranged.collectionNodeId)).toMatchObject([{ neutralText: null, flags: ['stance_moved'], original: question }])
})
