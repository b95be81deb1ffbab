const EARLIEST_S = Date.UTC(2000) / 1000
const LATEST_S = Date.UTC(2200) / 1000

const iso = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/
const common = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})$/
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * `ts` of a line, in seconds since 1970, in any of the forms Caddy's `time_format` knows: seconds (the default), milliseconds or
 * nanoseconds as a number; ISO 8601 and RFC 3339; `wall`, which has no zone and is UTC; `common_log`. Undefined for anything else,
 * and for times before 2000 or after 2199.
 */
export function parseTime(ts: unknown): number | undefined {
  if (typeof ts === 'number') return inRange(ts) ?? inRange(ts / 1e3) ?? inRange(ts / 1e9)
  return typeof ts === 'string' ? (parseIso(ts) ?? parseCommon(ts)) : undefined
}

function parseIso(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '0', zone = 'Z'] = iso.exec(text) ?? []
  return toSeconds([year, month, day, hour, minute, second], fraction, zone)
}

function parseCommon(text: string): number | undefined {
  const [, day, month = '', year, hour, minute, second, zone = 'Z'] = common.exec(text) ?? []
  return toSeconds([year, months.indexOf(month) + 1, day, hour, minute, second], '0', zone)
}

function toSeconds(parts: readonly unknown[], fraction: string, zone: string): number | undefined {
  if (parts[0] === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  // Date.UTC would carry a 31st of June over into July.
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || hour > 24 || minute > 59 || second > 60) return undefined
  return inRange(date.getTime() / 1000 + hour * 3600 + minute * 60 + second + Number(`0.${fraction}`) - offsetSeconds(zone))
}

function offsetSeconds(zone: string): number {
  if (zone === 'Z') return 0
  const seconds = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(-2)) * 60
  return zone.startsWith('-') ? -seconds : seconds
}

function inRange(seconds: number): number | undefined {
  return seconds >= EARLIEST_S && seconds < LATEST_S ? seconds : undefined
}
