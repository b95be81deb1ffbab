import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { collectCuts } from './cut-lists.ts'
import { readAnswer } from './read-answer.ts'

const schema = z.object({
  title: z.string().max(20),
  points: z.array(z.object({ name: z.string().min(1), evidence: z.array(z.int()).max(2).optional() })).max(3),
})
const point = (name: string, evidence?: number[]) => ({ name, evidence: evidence ?? null })
const read = (value: unknown) => readAnswer(schema, JSON.stringify(value))

describe('a list that is too long', () => {
  test('is cut to what it may be, in its order, and the rest is counted', () => {
    const points = ['a', 'b', 'c', 'd', 'e'].map((name) => point(name))
    expect(read({ title: 't', points })).toEqual({
      ...{ fits: true, cut: { points: 2 } },
      value: { title: 't', points: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    })
  })

  test('is cut within another one, too', () => {
    const points = [point('a', [1, 2, 3]), point('b', [1, 2]), point('c', [1, 2, 3, 4]), point('d', [1, 2, 3])]
    expect(read({ title: 't', points })).toMatchObject({
      cut: { points: 1, 'points.evidence': 3 },
      value: { points: [{ evidence: [1, 2] }, { evidence: [1, 2] }, { evidence: [1, 2] }] },
    })
  })

  test('is cut also where only what goes does not fit', () => {
    expect(read({ title: 't', points: [point('a'), point('b'), point('c'), point('')] })).toMatchObject({ fits: true, cut: { points: 1 } })
  })

  test.each([
    ['an entry that stays', { title: 't', points: [point('a'), point(''), point('c'), point('d')] }, /name/],
    ['something else', { title: 'x'.repeat(21), points: ['a', 'b', 'c', 'd'].map((name) => point(name)) }, /title/],
  ])('makes nothing fit where %s is wrong as well', (_name, value, problem) => {
    expect(read(value)).toEqual({ fits: false, problem: expect.stringMatching(problem) })
  })

  test('of what fits there is none', () => {
    expect(read({ title: 't', points: [point('a', [1, 2]), point('b'), point('c')] })).toMatchObject({ fits: true, cut: {} })
    expect(readAnswer(z.object({ n: z.number().max(3), t: z.string().max(2) }), '{"n":4,"t":"abc"}')).toMatchObject({ fits: false })
  })
})

test('what was cut from several replies is added up', () => {
  const { cut, onCut } = collectCuts()
  onCut({ a: 1 })
  onCut({ a: 2, b: 3 })
  expect(cut).toEqual({ a: 3, b: 3 })
})
