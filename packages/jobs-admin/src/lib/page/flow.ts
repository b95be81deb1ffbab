import type { ActivityBody, ActivitySeries, Durations } from './wire/more-bodies.ts'

/** What all types together came to in one span. */
export interface FlowRow {
  at: string
  completed: number
  failed: number
  retried: number
}

/** What ended in each span, of all types together. Pure. */
export function sumTypes({ starts_at, types, others }: Pick<ActivityBody, 'starts_at' | 'types' | 'others'>): FlowRow[] {
  const all = others ? [...types, others] : types
  const at = (name: 'completed' | 'failed' | 'retried', index: number) => all.reduce((sum, series) => sum + (series[name][index] ?? 0), 0)
  return starts_at.map((start, index) => ({
    at: start,
    completed: at('completed', index),
    failed: at('failed', index),
    retried: at('retried', index),
  }))
}

/** A type, what ended of it, and how long its jobs took. */
export interface TypeFlow extends Durations {
  /** Or how many types, of those without a line of their own. */
  type: string | number
  series: Omit<ActivitySeries, 'type'> | undefined
  completed: number
  failed: number
}

/** Everything that is known of each type, in the alphabet's order, and of all others together at the end. Pure. */
export function byType({ types, durations, others }: Pick<ActivityBody, 'types' | 'durations' | 'others'>): TypeFlow[] {
  const names = [...new Set([...types, ...durations].map(({ type }) => type))].toSorted()
  const lines = names.map((type) =>
    lineOf(
      type,
      types.find((found) => found.type === type),
      durations.find((found) => found.type === type),
    ),
  )
  return others ? [...lines, lineOf(others.types, others, others)] : lines
}

function lineOf(type: TypeFlow['type'], series: TypeFlow['series'], times: Durations | undefined): TypeFlow {
  return {
    type,
    series,
    completed: sum(series?.completed),
    failed: sum(series?.failed),
    wait: times?.wait ?? null,
    run: times?.run ?? null,
  }
}

/** Added up. Pure. */
export function sum(numbers: readonly number[] = []): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** One bar, in a drawing that is 100 high. */
export interface Bar {
  x: number
  y: number
  height: number
}

/**
 * Bars of equal width 10, one after the other, with those of each later layer on top of the one before; what is not nothing is at least 2 high, so that it is
 * seen. Pure.
 */
export function stackBars(layers: readonly (readonly number[])[], most: number): Bar[][] {
  const scale = most > 0 ? 100 / most : 0
  const tops = layers[0]?.map(() => 100) ?? []
  return layers.map((layer) =>
    layer.map((value, index) => {
      const height = value > 0 ? Math.max(2, value * scale) : 0
      const y = Math.max(0, (tops[index] ?? 100) - height)
      tops[index] = y
      return { x: index * 10, y, height }
    }),
  )
}

/** A round number that is not below any: 1, 2, 5, 10, 20, 50 … Pure. */
export function roundMost(numbers: readonly number[]): number {
  const most = Math.max(1, ...numbers)
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power
}
