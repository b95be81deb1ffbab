const DAY_S = 86_400
/** The line's own time is the first `ts` of it: inside a string the quotes would be escaped. */
const TIME = /"ts":(\d+)/

/** Moves every line of a Caddy access log by whole days. Digits after the second stay as they are. */
export function shiftLog(log: string, days: number): string {
  return log
    .split('\n')
    .map((line) => line.replace(TIME, (_, seconds) => `"ts":${Number(seconds) + days * DAY_S}`))
    .join('\n')
}

/** By how many days to move the log so that its last line falls on the day before `now`, in the zone. */
export function daysToYesterday(log: string, now: Date, timeZone: string): number {
  const last = Math.max(...log.split('\n').map((line) => Number(TIME.exec(line)?.[1] ?? 0)))
  const today = dayNumber(now, timeZone)
  const days = today - 1 - dayNumber(new Date(last * 1000), timeZone)
  // Summer time in between moves the clock by an hour, and with it perhaps the day.
  const landed = dayNumber(new Date((last + days * DAY_S) * 1000), timeZone)
  return days + (today - 1 - landed)
}

/** Days since 1970-01-01 of the calendar day in the zone. */
function dayNumber(time: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time)
  return Date.parse(`${parts}T00:00:00Z`) / (DAY_S * 1000)
}
