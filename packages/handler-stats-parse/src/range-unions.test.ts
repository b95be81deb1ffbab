import { expect, test } from 'vitest'
import { createRangeUnions } from './range-unions.ts'
import { addRange } from './ranges.ts'

test('each number has a union of its own, empty at first', () => {
  const unions = createRangeUnions()
  unions.add(2, 0, 10)
  unions.add(0, 5, 6)
  expect([0, 1, 2, 3].map((id) => unions.get(id))).toEqual([[5, 6], [], [0, 10], []])
})

test('several ranges, and one again when the gap is closed', () => {
  const unions = createRangeUnions()
  unions.add(0, 20, 30)
  unions.add(0, 0, 10)
  expect(unions.get(0)).toEqual([0, 10, 20, 30])
  unions.add(0, 10, 20)
  expect(unions.get(0)).toEqual([0, 30])
  unions.add(0, 40, 50)
  expect(unions.get(0)).toEqual([0, 30, 40, 50])
})

test('the same as one list for each', () => {
  let seed = 1
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  const unions = createRangeUnions()
  const lists = Array.from({ length: 5 }, (): number[] => [])
  for (let n = 0; n < 2000; n++) {
    const [id, start] = [random(5), random(1000)]
    const end = start + random(8)
    unions.add(id, start, end)
    addRange(lists[id] ?? [], start, end)
    expect(unions.get(id)).toEqual(lists[id])
  }
})
