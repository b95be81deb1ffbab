import type { Lang } from '../messages/index.ts'

/** How a moment is written. */
export interface TimeStyle {
  lang: Lang
  timeZone: string
}

const locales: Readonly<Record<Lang, string>> = { nb: 'nb-NO', nn: 'nn-NO', en: 'en-GB' }

/** `12:03:09` of the same day, `30. nov. 12:03` of another, `30. nov. 2025 12:03` of another year. Pure. */
export function formatMoment(at: string | number, now: number, style: TimeStyle): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return ''
  const [day, today] = [dayOf(time, style), dayOf(new Date(now), style)]
  if (day === today) return clock(time, style, true)
  const sameYear = day.slice(0, 4) === today.slice(0, 4)
  const date = time.toLocaleDateString(locales[style.lang], {
    ...{ timeZone: style.timeZone, day: 'numeric', month: 'short' },
    ...(!sameYear && { year: 'numeric' }),
  })
  return `${date} ${clock(time, style, false)}`
}

/** `12:03`. Pure. */
export function formatClock(at: string | number, style: TimeStyle): string {
  return clock(new Date(at), style, false)
}

/** `1 234`. Pure. */
export function formatNumber(value: number, lang: Lang): string {
  return value.toLocaleString(locales[lang]).replace(/\u00a0|\u202f/g, '\u00a0')
}

function clock(time: Date, { timeZone }: TimeStyle, seconds: boolean): string {
  return time.toLocaleTimeString('en-GB', {
    ...{ timeZone, hour: '2-digit', minute: '2-digit' },
    ...(seconds && { second: '2-digit' }),
  })
}

function dayOf(time: Date, { timeZone }: TimeStyle): string {
  return time.toLocaleDateString('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
}
