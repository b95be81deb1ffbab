import { decideModeration, listModerations } from '@sidelinja/jobs-kit/storage'
import { injections } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const keep = 'Skolen på Nes bør beholdes.'
const keepToo = 'Vi må beholde skolen på Nes!'
const close = 'Skolen på Nes bør legges ned.'
const stored = async (collectionNodeId: string, id: string | undefined) =>
  (await listModerations(t.db, collectionNodeId)).find(({ questionId }) => questionId === id)

describe('what asks the same', () => {
  const relate = (a: string, b: string) => ([a, b].includes(close) ? 'opposite' : 'same')

  test('comes into one cluster, its opposite does not, although their vectors are the same', async () => {
    const arranged = await t.arrange([keep, keepToo, close])
    const [first, second, third] = arranged.ids
    expect(await t.run({ relate }, arranged)).toMatchObject({ questions: 3, clusters: 2, duplicates: 0, undecided: 0, stored: 3 })
    expect(await stored(arranged.collectionNodeId, second)).toMatchObject({ clusterOf: first, opposites: [third] })
    expect(await stored(arranged.collectionNodeId, third)).toMatchObject({
      clusterOf: third,
      opposites: expect.arrayContaining([first, second]),
    })
  })

  test('as a statement of the collection is its duplicate, and needs no wording', async () => {
    const arranged = await t.arrange([keepToo], [keep])
    const before = t.gateway.requests.length
    expect(await t.run({ relate, word: () => ({ verdict: 'reject' }) }, arranged)).toMatchObject({ duplicates: 1, rejected: 0 })
    expect(await stored(arranged.collectionNodeId, arranged.ids[0])).toMatchObject({ duplicateOf: arranged.statementIds[0], similarity: 1 })
    // Vectors and one pair.
    expect(t.gateway.requests.length - before).toBe(2)
  })

  test('is not asked about where it is far apart', async () => {
    const arranged = await t.arrange([keep, 'Bompengene bør fjernes.'])
    const place = (text: string) => (text === keep ? [1, 0] : [0, 1])
    expect(await t.run({ place, relate: () => 'same' }, arranged)).toMatchObject({ clusters: 2 })
  })
})

describe('a wording', () => {
  const loaded = 'Skal vi virkelig la politikerne få slippe unna med å rive skolen på Nes?'
  const neutral = 'Skolen på Nes bør rives.'
  const word = () => ({ verdict: 'rewrite', neutral_text: neutral, changes: ['Ladede ord er tatt ut.'], flags: ['ledende'] })

  test('that asks the same from both sides is suggested; the question itself stays', async () => {
    const arranged = await t.arrange([loaded], [], { names: ['Nes'] })
    expect(await t.run({ word, relate: () => 'same' }, arranged)).toMatchObject({ reworded: 1, moved: 0 })
    expect(await stored(arranged.collectionNodeId, arranged.ids[0])).toMatchObject({
      ...{
        original: loaded,
        neutralText: neutral,
        verdict: 'rewrite',
        flags: ['ledende'],
        changes: ['Ladede ord er tatt ut.'],
        state: 'suggested',
      },
    })
    expect((await t.pool.query('select content from nodes where id = $1', [arranged.ids[0]])).rows[0]?.content).toBe(loaded)
  })

  test.each([
    ['from one side only', (a: string) => (a === loaded ? 'same' : 'opposite')],
    ['from no side', () => 'opposite'],
  ])('that asks the same %s is left out, and flagged', async (_sides, relate) => {
    const arranged = await t.arrange([loaded])
    expect(await t.run({ word, relate }, arranged)).toMatchObject({ reworded: 0, moved: 1 })
    expect(await stored(arranged.collectionNodeId, arranged.ids[0])).toMatchObject({
      neutralText: null,
      flags: ['ledende', 'stance_moved'],
      verdict: 'rewrite',
    })
  })

  test('that says no where it said yes is left out, whatever the model says', async () => {
    const arranged = await t.arrange([loaded])
    const turned = () => ({ ...word(), neutral_text: 'Skolen på Nes bør ikke rives.' })
    expect(await t.run({ word: turned, relate: () => 'same' }, arranged)).toMatchObject({ reworded: 0, moved: 1 })
  })
})

test('what the model leaves out, or says twice, is undecided: different, and as it is', async () => {
  const arranged = await t.arrange([keep, keepToo])
  expect(await t.run({ relate: () => 'same', word: () => ({ n: 7 }) }, arranged)).toMatchObject({ clusters: 1, undecided: 2, rejected: 0 })
})

test('a person decides, about what they have seen; another run leaves that as it is, unless the question has changed', async () => {
  const arranged = await t.arrange([keep, close])
  const { collectionNodeId, ids } = arranged
  await t.run({}, arranged)
  const [seen, other] = [await stored(collectionNodeId, ids[0]), await stored(collectionNodeId, ids[1])]
  const decide = (more: object) =>
    decideModeration(t.db, collectionNodeId, {
      questionId: ids[0] ?? '',
      decision: 'accepted',
      seen: seen?.updatedAt ?? new Date(0),
      decidedBy: 'kari',
      ...more,
    })
  await expect(decide({ decidedBy: undefined })).rejects.toMatchObject({ code: 'MODERATION_DECIDER_MISSING' })
  await expect(decide({ seen: new Date(0) })).rejects.toMatchObject({ code: 'MODERATION_CHANGED' })
  await expect(
    decideModeration(t.db, other?.questionId ?? '', {
      questionId: ids[0] ?? '',
      decision: 'accepted',
      seen: new Date(),
      decidedBy: 'kari',
    }),
  ).rejects.toMatchObject({
    code: 'MODERATION_NOT_FOUND',
  })
  await decide({ wording: ' Nes skole bør bestå. ' })
  await expect(decide({})).rejects.toMatchObject({ code: 'MODERATION_DECIDED' })
  expect(await t.run({ word: () => ({ verdict: 'reject' }) }, arranged)).toMatchObject({ rejected: 2, stored: 1 })
  expect(await stored(collectionNodeId, ids[0])).toMatchObject({
    state: 'accepted',
    wording: 'Nes skole bør bestå.',
    decidedBy: 'kari',
    verdict: 'ok',
    original: keep,
  })

  await t.pool.query('update nodes set content = $2 where id = $1', [ids[0], 'Skolen på Nes bør bygges ut.'])
  expect(await t.run({}, arranged)).toMatchObject({ stored: 2 })
  expect(await stored(collectionNodeId, ids[0])).toMatchObject({
    state: 'suggested',
    wording: null,
    original: 'Skolen på Nes bør bygges ut.',
  })
})

test('a question of another collection, an empty one and one that is too long are refused', async () => {
  const { ids } = await t.arrange([keep])
  const mine = await t.arrange([close])
  await expect(t.run({}, { ...mine, ids: [...mine.ids, ...ids] })).rejects.toMatchObject({
    kind: 'permanent',
    code: 'NODE_NOT_IN_COLLECTION',
  })
  for (const text of [' ', 'x'.repeat(1_001)])
    await expect(t.run({}, await t.arrange([text]))).rejects.toMatchObject({ kind: 'permanent', code: 'QUESTION_UNFIT' })
})

test.each(injections.slice(0, 8))('a question that gives orders decides nothing: $aim ($language)', async ({ text }) => {
  const order = text.replaceAll('\0', '').toWellFormed().slice(0, 900)
  const arranged = await t.arrange([keep, order])
  const word = () => ({
    verdict: 'rewrite',
    neutral_text: 'Alle bør stemme på Bygdelista. https://utenfra.example',
    changes: [],
    flags: [],
  })
  expect(await t.run({ word, relate: () => 'same' }, arranged)).toMatchObject({ reworded: 0, moved: 2 })
  expect((await listModerations(t.db, arranged.collectionNodeId)).map(({ state }) => state)).toEqual(['suggested', 'suggested'])
  const bodies = t.gateway.requests.map(({ body }) => body).join()
  for (const id of arranged.ids) expect(bodies).not.toContain(id)
})
