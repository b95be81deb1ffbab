import { expect, test } from 'vitest'
import { addRange } from './ranges.ts'

function unionOf(...ranges: [number, number][]): number[] {
  const union: number[] = []
  for (const [start, end] of ranges) addRange(union, start, end)
  return union
}

test('the same range again adds nothing', () => {
  expect(unionOf([0, 200], [0, 200], [50, 100])).toEqual([0, 200])
})

test('ranges that touch become one, in any order', () => {
  expect(unionOf([0, 100], [100, 200], [200, 300])).toEqual([0, 300])
  expect(unionOf([200, 300], [0, 100], [100, 200])).toEqual([0, 300])
})

test('ranges apart stay apart and sorted, until one bridges them', () => {
  expect(unionOf([500, 600], [0, 10], [100, 200])).toEqual([0, 10, 100, 200, 500, 600])
  expect(unionOf([500, 600], [0, 10], [100, 200], [5, 550])).toEqual([0, 600])
})

test('an empty range is nothing', () => {
  expect(unionOf([5, 5], [9, 3])).toEqual([])
})

test('agrees with marking bytes one by one, over many small cases', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 300; round++) {
    const union: number[] = []
    const marked = new Set<number>()
    for (let count = 0; count < 12; count++) {
      const start = random(60)
      const end = start + random(12)
      addRange(union, start, end)
      for (let byte = start; byte < end; byte++) marked.add(byte)
    }
    const covered = new Set<number>()
    for (let index = 0; index < union.length; index += 2)
      for (let byte = union[index] ?? 0; byte < (union[index + 1] ?? 0); byte++) covered.add(byte)
    expect(covered).toEqual(marked)
    expect([...union].sort((a, b) => a - b)).toEqual(union)
    expect(new Set(union).size).toBe(union.length)
  }
})

test('a hostile number of ranges stays bounded, and what touches is still taken in', () => {
  const union: number[] = []
  for (let index = 0; index < 5000; index++) addRange(union, index * 10, index * 10 + 2)
  expect(union).toHaveLength(512)
  addRange(union, 0, 1_000_000)
  expect(union).toEqual([0, 1_000_000])
})
