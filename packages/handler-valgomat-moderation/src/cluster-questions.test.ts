import { describe, expect, test } from 'vitest'
import { blockPairs, type Placed } from './block-pairs.ts'
import { clusterQuestions, type DecidedPair } from './cluster-questions.ts'
import { keepsMeaning } from './keeps-meaning.ts'

const at = (id: string, angle = 0): Placed => ({ id, text: id, vector: Float32Array.from([Math.cos(angle), Math.sin(angle)]) })
const [a, b, c, d] = [at('a'), at('b'), at('c'), at('d')]
const pair = (left: Placed, right: Placed, relation: DecidedPair['relation'], similarity = 0.9): DecidedPair => ({
  a: left,
  b: right,
  relation,
  similarity,
})
const clustersOf = (pairs: DecidedPair[]) => [...clusterQuestions([a, b, c, d], pairs)].map(([, { clusterOf }]) => clusterOf).join('')

test('only what is near is asked about, each pair once, statements not with each other', () => {
  const pairs = blockPairs([at('q1'), at('q2', 0.1), at('q3', 1.5)], [at('s1', 0.2), at('s2', 0.21)])
  expect(pairs.map((each) => [each.a.id, each.b.id].toSorted().join(' ')).toSorted()).toEqual(['q1 q2', 'q1 s1', 'q1 s2', 'q2 s1', 'q2 s2'])
  expect(pairs.map(({ similarity }) => similarity)).toEqual(pairs.map(({ similarity }) => similarity).toSorted((x, y) => y - x))
})

test('the same come into one cluster through others, too; its first question names it', () => {
  expect(clustersOf([pair(c, b, 'same'), pair(b, a, 'same'), pair(c, d, 'different')])).toBe('aaad')
})

test('opposites never come into one, also where a model contradicts itself', () => {
  expect(clustersOf([pair(a, b, 'opposite')])).toBe('abcd')
  expect(clustersOf([pair(a, b, 'same', 0.95), pair(b, c, 'same', 0.9), pair(a, c, 'opposite', 0.85)])).toBe('aacd')
  expect(clusterQuestions([a, b], [pair(a, b, 'opposite')]).get('b')?.opposites).toEqual(['a'])
})

test('a statement makes a duplicate of a question, the nearest one, and joins no clusters', () => {
  const s = at('s')
  const places = clusterQuestions([a, b], [pair(a, s, 'same', 0.95), pair(b, s, 'same', 0.9), pair(a, d, 'same', 0.85)])
  expect(places.get('a')).toMatchObject({ clusterOf: 'a', duplicateOf: 's', similarity: 0.95 })
  expect(places.get('b')).toMatchObject({ clusterOf: 'b', duplicateOf: 's' })
})

describe('a wording keeps the meaning', () => {
  const original = 'Er det ikke på tide at skolen på Nes slipper å bli lagt ned før 2030?'
  test.each([
    ['Skolen på Nes bør ikke legges ned før 2030.', true],
    ['Skolen på Nes bør legges ned før 2030.', false],
    ['Skolen på Nes bør ikke legges ned før 2035.', false],
    ['Skolen på Vik bør ikke legges ned før 2030.', false],
    ['Skulen på Nes bør ikkje leggjast ned før 2030, meiner eg.', false],
    ['Skolen på Nes bør ikke legges ned før 2030: https://utenfra.example', false],
    [' ', false],
  ])('%s: %s', (wording, keeps) => {
    expect(keepsMeaning(original, wording, ['Nes', 'Vik'])).toBe(keeps)
  })
})
