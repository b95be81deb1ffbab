import type { Lang } from '../messages/index.ts'

type Unit = 'day' | 'hour' | 'minute' | 'second' | 'millisecond'

const sizes: Readonly<Record<Unit, number>> = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000, millisecond: 1 }
const words: Readonly<Record<Lang, Readonly<Record<Unit, readonly [one: string, many: string]>>>> = {
  nb: { day: ['dag', 'dager'], hour: ['t', 't'], minute: ['min', 'min'], second: ['s', 's'], millisecond: ['ms', 'ms'] },
  nn: { day: ['dag', 'dagar'], hour: ['t', 't'], minute: ['min', 'min'], second: ['s', 's'], millisecond: ['ms', 'ms'] },
  en: { day: ['day', 'days'], hour: ['h', 'h'], minute: ['min', 'min'], second: ['s', 's'], millisecond: ['ms', 'ms'] },
}

/**
 * A length of time in at most two units: `340 ms`, `4,2 s`, `3 min 12 s`, `2 t 5 min`, `3 dager 4 t`. Clocks of different machines can make a
 * length negative: it is shown as nothing, never with a minus. Pure.
 */
export function formatDuration(lengthMs: number, lang: Lang): string {
  const length = Number.isFinite(lengthMs) ? Math.max(0, lengthMs) : 0
  if (length < 1_000) return part(Math.round(length), 'millisecond', lang)
  if (length < 9_950) return withDecimal(length, lang)
  if (length < 59_500) return part(Math.round(length / sizes.second), 'second', lang)
  if (length < sizes.hour - 500) return pair(length, 'minute', 'second', lang)
  return length < sizes.day - 30_000 ? pair(length, 'hour', 'minute', lang) : pair(length, 'day', 'hour', lang)
}

/** The largest unit alone, for ages: `12 min`, `3 dager`. Never more than has passed. Pure. */
export function formatAge(lengthMs: number, lang: Lang): string {
  const length = Number.isFinite(lengthMs) ? Math.max(0, lengthMs) : 0
  const unit = (['day', 'hour', 'minute', 'second'] as const).find((found) => length >= sizes[found]) ?? 'second'
  return part(Math.floor(length / sizes[unit]), unit, lang)
}

function pair(length: number, large: Unit, small: Unit, lang: Lang): string {
  const inSmall = Math.round(length / sizes[small])
  const ratio = sizes[large] / sizes[small]
  const [whole, rest] = [Math.floor(inSmall / ratio), inSmall % ratio]
  return rest === 0 ? part(whole, large, lang) : `${part(whole, large, lang)} ${part(rest, small, lang)}`
}

function withDecimal(length: number, lang: Lang): string {
  const seconds = (Math.round(length / 100) / 10).toLocaleString(lang === 'en' ? 'en' : 'nb')
  return `${seconds} s`
}

function part(count: number, unit: Unit, lang: Lang): string {
  return `${count} ${words[lang][unit][count === 1 ? 0 : 1]}`
}
