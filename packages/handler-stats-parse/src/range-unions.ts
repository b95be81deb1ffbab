import { addRange } from './ranges.ts'

/** Unions of byte ranges for many, numbered from 0. Most are a single range, which takes two numbers and no object. */
export interface RangeUnions {
  /** Adds `start` (inclusive) to `end` (exclusive). */
  add(id: number, start: number, end: number): void
  /** Flat: start and end in turn. */
  get(id: number): readonly number[]
}

/** Makes unions that are all empty. */
export function createRangeUnions(): RangeUnions {
  const starts: number[] = []
  const ends: number[] = []
  const several = new Map<number, number[]>()

  const keep = (id: number, union: number[]) => {
    if (union.length > 2) several.set(id, union)
    else {
      several.delete(id)
      starts[id] = union[0] ?? 0
      ends[id] = union[1] ?? 0
    }
  }

  const get = (id: number): number[] => {
    const union = several.get(id)
    if (union) return union
    const end = ends[id] ?? 0
    return end === 0 ? [] : [starts[id] ?? 0, end]
  }

  return {
    get,
    add(id, start, end) {
      const union = get(id)
      addRange(union, start, end)
      keep(id, union)
    },
  }
}
