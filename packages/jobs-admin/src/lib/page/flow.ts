import type { ActivityBody, ActivitySeries } from './wire/more-bodies.ts'

/** What all types together came to in one span. */
export interface FlowRow {
  at: string
  completed: number
  failed: number
  retried: number
}

/** What ended in each span, of all types together. Pure. */
export function sumTypes({ starts_at, types }: Pick<ActivityBody, 'starts_at' | 'types'>): FlowRow[] {
  const at = (name: 'completed' | 'failed' | 'retried', index: number) => types.reduce((sum, series) => sum + (series[name][index] ?? 0), 0)
  return starts_at.map((start, index) => ({
    at: start,
    completed: at('completed', index),
    failed: at('failed', index),
    retried: at('retried', index),
  }))
}

/** A type, what ended of it, and how long its jobs took. */
export interface TypeFlow {
  type: string
  series: ActivitySeries | undefined
  completed: number
  failed: number
  wait: ActivityBody['durations'][number]['wait']
  run: ActivityBody['durations'][number]['run']
}

/** Everything that is known of each type, in the alphabet's order. Pure. */
export function byType({ types, durations }: Pick<ActivityBody, 'types' | 'durations'>): TypeFlow[] {
  const names = [...new Set([...types, ...durations].map(({ type }) => type))].toSorted()
  return names.map((type) => {
    const series = types.find((found) => found.type === type)
    const times = durations.find((found) => found.type === type)
    return {
      type,
      series,
      completed: sum(series?.completed),
      failed: sum(series?.failed),
      wait: times?.wait ?? null,
      run: times?.run ?? null,
    }
  })
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
