const DAY_MS = 86_400_000
const weekdays = ['mandag|måndag', 'tirsdag|tysdag', 'onsdag', 'torsdag', 'fredag', 'lørdag|laurdag', 'søndag|sundag']
const months = ['jan', 'feb', 'mar', 'apr', 'mai', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'des']
const numbers = ['en|én|ei|ein|eitt|ett|et', 'to', 'tre', 'fire', 'fem', 'seks', 'sju|syv', 'åtte', 'ni', 'ti', 'elleve', 'tolv']
const NEXT = 'neste|nest'
const WEEK = 'uk(?:e|en|a)|vek(?:e|a|en)'
const COUNT = `(\\d{1,2}|fjorten|${numbers.join('|')})`

/**
 * The day that a few Norwegian words mean, said in a meeting on that day; null where they leave more than one, none, or one that is past. Before a day means the day
 * before it. Nothing is guessed: "neste fredag" is one day to some people and another one to others, and a week is no day.
 */
export function dueDate(said: string, meetingDate: string): string | null {
  const text = said.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')
  const meeting = Date.parse(`${meetingDate}T00:00:00Z`)
  if (
    Number.isNaN(meeting) ||
    /ikk(?:e|je) før|før .*kl(?:\.|okk| \d)|(?:etter|tidligst|tidlegast|eller|mellom|cirka|omtrent|rundt|kring) /.test(text)
  )
    return null
  const days = new Set(readers.flatMap((read) => read(text, meeting)).map((day) => (/(?<!\p{L})før /u.test(text) ? day - DAY_MS : day)))
  const [day] = days
  return day === undefined || days.size > 1 || Number.isNaN(day) || day < meeting ? null : new Date(day).toISOString().slice(0, 10)
}

/** The days that a text names in one way; NaN for a day that does not exist, or cannot be told. */
type Reader = (text: string, meeting: number) => number[]

const readers: readonly Reader[] = [readDates, readWeekday, readNear, readCount, readEnd]

/** 2026-12-04, 4.12.2026, den 4.12, 4. desember, 4. desember 2026. Without a year: the next one. */
function readDates(text: string, meeting: number): number[] {
  const iso = Array.from(text.matchAll(/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g), ([, y, m, d]) => dayOf(Number(y), Number(m), Number(d)))
  const dotted = text.matchAll(/(?<!kl\.? ?|\d[.,]?)(\d{1,2})\. ?(\d{1,2})\.? ?(\d{4})?(?![\d:])/g)
  const named = text.matchAll(new RegExp(`(?<!\\d)(\\d{1,2})\\. ?(${months.join('|')})(?:\\p{L}+)?\\.?(?: (\\d{4}))?(?!\\d)`, 'gu'))
  return [
    ...iso,
    ...Array.from(dotted, ([, d, m, y]) => inYear(y, Number(m), Number(d), meeting)),
    ...Array.from(named, ([, d, m, y]) => inYear(y, months.indexOf(m ?? '') + 1, Number(d), meeting)),
  ]
}

/** Fredag: the next one. Fredag neste uke: that of the week after. Beside a date it must be that day's. */
function readWeekday(text: string, meeting: number): number[] {
  const found = weekdays.flatMap((names, index) => (new RegExp(`(?<!\\p{L})(?:${names})(?:en)?(?!\\p{L})`, 'u').test(text) ? [index] : []))
  const [index] = found
  if (index === undefined) return []
  if (found.length > 1) return [Number.NaN]
  const dates = readDates(text, meeting)
  if (dates.length > 0) return dates.map((day) => (weekdayOf(day) === index ? day : Number.NaN))
  const today = weekdayOf(meeting)
  if (new RegExp(`(?:${NEXT}) (?:${WEEK})`).test(text)) return [meeting + (7 - today + index) * DAY_MS]
  // "Neste fredag", "annenhver fredag", "fredag om to uker", "en fredag".
  if (
    new RegExp(`(?<!\\p{L})(?:${NEXT}|(?:annen|anna)?hver|(?:annan)?kvar|om|en|ein) (?:${weekdays.join('|')})|dag(?:en)? om `, 'u').test(
      text,
    )
  )
    return [Number.NaN]
  return [meeting + ((index - today + 6) % 7) * DAY_MS + DAY_MS]
}

/** I dag, i kveld, i morgen, i overmorgen. */
function readNear(text: string, meeting: number): number[] {
  const found = text.matchAll(/(?<!\p{L})i (dag|kveld|ettermiddag|morgen|morgon|morra|overmorgen|overmorgon)(?!\p{L})/gu)
  return Array.from(found, ([, word = '']) => meeting + (word.startsWith('over') ? 2 : word.startsWith('mor') ? 1 : 0) * DAY_MS)
}

/** Om tre dager, om to uker, om fjorten dager. Words beside it, as in "om en ukes tid", leave it open. */
function readCount(text: string, meeting: number): number[] {
  const pattern = new RegExp(`(?<!\\p{L})om ${COUNT} (dag(?:er|ar)?|(?:uke|veke)r?|månad(?:er|ar)?|måned(?:er)?)(?![\\p{L}\\p{N}])`, 'u')
  const [, count = '', unit = ''] = pattern.exec(text) ?? []
  if (unit === '') return []
  const many = countOf(count)
  if (unit.startsWith('dag')) return [meeting + many * DAY_MS]
  return unit.startsWith('mån') ? [addMonths(meeting, many)] : [meeting + many * 7 * DAY_MS]
}

/** Innen utgangen av uka, innen utgangen av neste uke, and of months: the last day. */
function readEnd(text: string, meeting: number): number[] {
  const pattern = new RegExp(
    `(?:utgangen av|slutten av|løpet av) (denne |${NEXT.replace('|', ' |')} )?(${WEEK}|måne(?:den|d)|månad(?:en)?)(?!\\p{L})`,
    'u',
  )
  const [, which = '', unit = ''] = pattern.exec(text) ?? []
  if (unit === '') return []
  const later = which.startsWith('nest') ? 1 : 0
  if (!unit.startsWith('mån')) return readWeekday(text, meeting).length > 0 ? [] : [meeting + (6 - weekdayOf(meeting) + 7 * later) * DAY_MS]
  const date = new Date(meeting)
  return [Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + later, 0)]
}

function inYear(year: string | undefined, month: number, day: number, meeting: number): number {
  if (year !== undefined) return dayOf(Number(year), month, day)
  const own = new Date(meeting).getUTCFullYear()
  const soon = dayOf(own, month, day)
  return soon >= meeting ? soon : dayOf(own + 1, month, day)
}

/** NaN for the 31st of February. */
function dayOf(year: number, month: number, day: number): number {
  const at = Date.UTC(year, month - 1, day)
  return new Date(at).getUTCMonth() === month - 1 && day > 0 ? at : Number.NaN
}

/** The last of the month where it has no such day. */
function addMonths(meeting: number, many: number): number {
  const date = new Date(meeting)
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + many + 1, 0)
  return Math.min(last, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + many, date.getUTCDate()))
}

function countOf(word: string): number {
  if (word === 'fjorten') return 14
  return /^\d/.test(word) ? Number(word) : numbers.findIndex((names) => names.split('|').includes(word)) + 1
}

/** Monday is 0. */
function weekdayOf(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7
}
