const DAY_MS = 86_400_000
const weekdays = ['mandag|måndag', 'tirsdag|tysdag', 'onsdag', 'torsdag', 'fredag', 'lørdag|laurdag', 'søndag|sundag']
const months = ['januar|jan', 'februar|feb', 'mars|mar', 'april|apr', 'mai', 'juni|jun', 'juli|jul', 'august|aug', 'september|sept|sep']
const lastMonths = ['oktober|okt', 'november|nov', 'desember|des']
const numbers = ['en|én|ei|ein|eitt|ett|et', 'to', 'tre', 'fire', 'fem', 'seks', 'sju|syv', 'åtte', 'ni', 'ti', 'elleve', 'tolv']
const allMonths = [...months, ...lastMonths]
const MONTH = `(?<month>${allMonths.join('|')})`
const WEEKDAY = `(?<weekday>${weekdays.join('|')})(?:en)?`
const WEEK = '(?:uke|uken|uka|veke|veka|veken)'
const COUNT = `(?<count>\\d{1,2}|fjorten|${numbers.join('|')})`
const DATE = `(?<day>\\d{1,2})\\. ?${MONTH}\\.?(?: (?<year>\\d{4}))?`
/** By then at the latest; they change no day. */
const LEAD = '(?:(?:senest|seinast|seinest) )?(?:(?:innen|innan|til|på|i løpet av) )?'
const TIME = '(?: (?:kl\\.?|klokka|klokken) (?:\\d{1,2}(?:[.:]\\d{2})?|tolv|elleve|ti|ni|åtte))?'
const PART = '(?: (?:tidlig|tidleg|formiddag|ettermiddag|kveld))?'

/** The day that a phrase means; NaN for one that does not exist. */
type Meaning = (found: Readonly<Record<string, string | undefined>>, meeting: number) => number

/** Each is a whole phrase: a word that is not in it leaves the day open. `isDay`: the word for "before" in front of it means the day before. */
const phrases: readonly { readonly pattern: RegExp; readonly isDay: boolean; readonly meaning: Meaning }[] = [
  phrase('i (?<near>dag|kveld|ettermiddag)', nearDay),
  phrase(`i (?<near>morgen|morgon|morra|overmorgen|overmorgon)`, nearDay),
  phrase(WEEKDAY, ({ weekday }, meeting) => meeting + ((indexIn(weekdays, weekday) - weekdayOf(meeting) + 6) % 7) * DAY_MS + DAY_MS),
  phrase(`${WEEKDAY} (?:i )?(?:neste|nest) ${WEEK}`, ({ weekday }, meeting) => {
    return meeting + (7 - weekdayOf(meeting) + indexIn(weekdays, weekday)) * DAY_MS
  }),
  phrase(`(?:den )?${DATE}`, namedDate),
  phrase(`${WEEKDAY} (?:den )?${DATE}`, (found, meeting) => {
    const day = namedDate(found, meeting)
    return weekdayOf(day) === indexIn(weekdays, found.weekday) ? day : Number.NaN
  }),
  phrase('(?:den )?(?<day>\\d{1,2})\\. ?(?<month>\\d{1,2})\\. ?(?<year>\\d{4})', numberedDate),
  // 10.12 alone may be a time, a sum or a chapter.
  phrase('den (?<day>\\d{1,2})\\. ?(?<month>\\d{1,2})\\.?', numberedDate),
  phrase('(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})', numberedDate),
  ...[`(?<unit>dag|dager|dagar)`, `(?<unit>uke|uker|veke|veker)`, `(?<unit>måned|måneder|månad|månader|månadar)`].map((unit) =>
    phrase(`om ${COUNT} ${unit}`, counted, { isDay: false }),
  ),
  phrase(`(?:utgangen av|slutten av|i løpet av) (?:(?<later>neste|nest|denne) )?${WEEK}`, endOfWeek, { isDay: false }),
  phrase('(?:utgangen av|slutten av|i løpet av) (?:(?<later>neste|nest|denne) )?(?:måned|måneden|månad|månaden)', endOfMonth, {
    isDay: false,
  }),
]

/**
 * The day that a few Norwegian words mean, said in a meeting on that day; null where they leave more than one, none, or one that is past, and where a word among them is not known: nothing is guessed.
 * Before a day means the day before it. "Neste fredag" is one day to some people and another one to others, and a week is no day.
 */
export function dueDate(said: string, meetingDate: string): string | null {
  const text = said
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[,!?;:]+$/, '')
  const meeting = Date.parse(`${meetingDate}T00:00:00Z`)
  if (Number.isNaN(meeting) || text.length > 100) return null
  const [, before, rest = ''] = /^(før )?(.*)$/.exec(text) ?? []
  const days = new Set(
    phrases.flatMap(({ pattern, isDay, meaning }) => {
      const { groups } = pattern.exec(rest) ?? {}
      if (!groups || (before && (!isDay || groups.lead || groups.tail))) return []
      return [meaning(groups, meeting) - (before ? DAY_MS : 0)]
    }),
  )
  const [day] = days
  return day === undefined || days.size > 1 || Number.isNaN(day) || day < meeting ? null : new Date(day).toISOString().slice(0, 10)
}

function phrase(words: string, meaning: Meaning, { isDay } = { isDay: true }): (typeof phrases)[number] {
  return { pattern: new RegExp(`^(?<lead>${LEAD})${words}(?<tail>${isDay ? `${PART}${TIME}` : ''})\\.?$`, 'u'), isDay, meaning }
}

function nearDay({ near = '' }: Readonly<Record<string, string | undefined>>, meeting: number): number {
  return meeting + (near.startsWith('over') ? 2 : near.startsWith('mor') ? 1 : 0) * DAY_MS
}

function namedDate({ day, month, year }: Readonly<Record<string, string | undefined>>, meeting: number): number {
  return inYear(year, indexIn(allMonths, month) + 1, Number(day), meeting)
}

function numberedDate({ day, month, year }: Readonly<Record<string, string | undefined>>, meeting: number): number {
  return inYear(year, Number(month), Number(day), meeting)
}

function counted({ count = '', unit = '' }: Readonly<Record<string, string | undefined>>, meeting: number): number {
  const many = countOf(count)
  if (unit.startsWith('dag')) return meeting + many * DAY_MS
  return unit.startsWith('mån') ? addMonths(meeting, many) : meeting + many * 7 * DAY_MS
}

function endOfWeek({ later }: Readonly<Record<string, string | undefined>>, meeting: number): number {
  return meeting + (6 - weekdayOf(meeting) + (later?.startsWith('nest') ? 7 : 0)) * DAY_MS
}

function endOfMonth({ later }: Readonly<Record<string, string | undefined>>, meeting: number): number {
  const date = new Date(meeting)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + (later?.startsWith('nest') ? 1 : 0), 0)
}

/** Without a year: the next one. */
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
  return /^\d/.test(word) ? Number(word) : indexIn(numbers, word) + 1
}

function indexIn(groups: readonly string[], word: string | undefined): number {
  return groups.findIndex((names) => names.split('|').includes(word ?? ''))
}

/** Monday is 0. */
function weekdayOf(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7
}
