/** Chances that come again with the same seed. */
export interface Random {
  /** 0 … below `below`. */
  int(below: number): number
  chance(of: number): boolean
  pick<Item>(items: readonly Item[]): Item
  some<Item>(items: readonly Item[], most: number): Item[]
  uuid(): string
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  const pick = <Item>(items: readonly Item[]) => items[int(items.length)] as Item
  return {
    int,
    pick,
    chance: (of) => next() < of,
    some: (items, most) => Array.from({ length: int(most + 1) }, () => pick(items)),
    uuid() {
      const hex = Array.from({ length: 32 }, () => int(16).toString(16)).join('')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
