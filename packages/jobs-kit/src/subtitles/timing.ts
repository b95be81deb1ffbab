/** What a line with the times of a cue says. */
export interface Timing {
  readonly startMs: number
  readonly endMs: number
  /** True when a time is written in a way that has more than one meaning. */
  readonly odd: boolean
  /** What stands behind the times. */
  readonly rest: string
}

/** What a column of the database holds: 596 hours. */
export const MAX_MS = 2_147_483_647

const clock = String.raw`(-?)(?:(\d{1,12}):)?(\d{1,2}):(\d{1,2})`
const fraction = String.raw`(?:[,.] ?(\d{1,9})|:(\d{3}))`
const behind = String.raw`(?:[ \t]+(.*)|[ \t]*)$`
/** With fractions any arrow will do; without, only the right one: "10:00 -> 11:00" is a text. Where one of two is missing the line broke off. */
const timings = [
  new RegExp(`^[ \\t]*${clock}${fraction}[ \\t]*(?:-{1,3} ?>|[–—]>|→)[ \\t]*${clock}${fraction}${behind}`),
  new RegExp(`^[ \\t]*${clock}()()[ \\t]*-->[ \\t]*${clock}()()${behind}`),
]
const cutTiming =
  /^[ \t]*\d{1,12}:\d{1,2}(:\d{1,2})?([,.]\d{0,9})?[ \t]*-{1,3}(>[ \t]*[\d:,.]*)?$|^[ \t]*\d{1,12}:\d\d:\d\d[,.]\d{0,9}[ \t]*$/

/** Reads `00:00:01,000 --> 00:00:02,000` in any of the ways in which people and programs write it; undefined when it is something else. */
export function parseTiming(line: string): Timing | undefined {
  // Most lines are texts: they shall cost next to nothing.
  if (!line.includes('>') && !line.includes('→')) return undefined
  const bare = line.replaceAll('\0', '')
  const match = timings.map((pattern) => pattern.exec(bare)).find((found) => found !== null)
  if (!match) return undefined
  const start = toTime(match.slice(1, 7))
  const end = toTime(match.slice(7, 13))
  return { startMs: start.ms, endMs: end.ms, odd: start.odd || end.odd, rest: match[13]?.trim() ?? '' }
}

/** True for the beginning of such a line, after which the file broke off. */
export function isCutTiming(line: string): boolean {
  return line.length < 100 && cutTiming.test(line)
}

/** `00:00:01,000`; hours have as many digits as they need. */
export function formatTime(ms: number, separator: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${separator}${String(ms % 1000).padStart(3, '0')}`
}

function toTime([sign, hours = '0', minutes = '0', seconds = '0', digits, threeDigits]: readonly (string | undefined)[]) {
  const fraction = digits || threeDigits || '000'
  const ms = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + fractionMs(fraction)
  return { ms: sign === '-' ? -ms : ms, odd: fraction.length !== 3 || Number(seconds) > 59 || Number(minutes) > 59 }
}

/** `,5` is half a second; but `,1000` is what a program makes of 999.7 ms. */
function fractionMs(fraction: string): number {
  return fraction === '1000' ? 1000 : Math.round(Number(`0.${fraction}`) * 1000)
}
