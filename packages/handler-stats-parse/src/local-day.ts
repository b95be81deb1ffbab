/** Turns times into calendar days of one time zone. Made once a run, because it remembers what it has worked out. */
export interface DayClock {
  /** The calendar day, `2026-11-30`, of a time in seconds since 1970. */
  dayOf(seconds: number): string
  /** When a day is over, in milliseconds since 1970. Right also where a day has 23 or 25 hours, or begins at 01:00. */
  endOf(day: string): number
}

const QUARTER_SECONDS = 900
const MOST_REMEMBERED = 10_000

/**
 * @param timeZone an IANA name, for example `Europe/Oslo`.
 * @throws RangeError when the zone is unknown.
 */
export function createDayClock(timeZone: string): DayClock {
  const format = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const days = new Map<number, string>()
  const ends = new Map<string, number>()

  // Midnight always falls on a quarter of an hour of UTC, so one formatted date serves every line of that quarter.
  const dayOfQuarter = (quarter: number): string => {
    let day = days.get(quarter)
    if (day === undefined) {
      if (days.size >= MOST_REMEMBERED) days.clear()
      day = formatDay(format, quarter * QUARTER_SECONDS * 1000)
      days.set(quarter, day)
    }
    return day
  }

  return {
    dayOf: (seconds) => dayOfQuarter(Math.floor(seconds / QUARTER_SECONDS)),
    endOf(day) {
      let end = ends.get(day)
      if (end === undefined) {
        end = findEnd(day, dayOfQuarter)
        ends.set(day, end)
      }
      return end
    },
  }
}

function formatDay(format: Intl.DateTimeFormat, milliseconds: number): string {
  const parts = Object.fromEntries(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]))
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
}

// The first quarter of a later day, found by halving: offsets from UTC reach from −12 to +14 hours.
function findEnd(day: string, dayOfQuarter: (quarter: number) => string): number {
  const nextMidnightUtc = (Date.parse(`${day}T00:00:00Z`) / 1000 + 86_400) / QUARTER_SECONDS
  let low = nextMidnightUtc - 15 * 4
  let high = nextMidnightUtc + 13 * 4
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (dayOfQuarter(middle) > day) high = middle
    else low = middle + 1
  }
  return low * QUARTER_SECONDS * 1000
}
