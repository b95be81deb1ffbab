const WORD = /\p{L}[\p{L}\p{M}]*/gu
const groups = [
  ...['mandag måndag monday', 'tirsdag tysdag tuesday', 'onsdag wednesday', 'torsdag thursday', 'fredag friday', 'lørdag laurdag saturday'],
  ...['søndag sundag sunday', 'januar january', 'februar february', 'mars', 'april', 'mai', 'juni june', 'juli july', 'august'],
  ...['september', 'oktober october', 'november', 'desember december'],
]
const days: ReadonlyMap<string, string> = new Map(
  groups.flatMap((names) => names.split(' ').map((name, _, [first = name]) => [name, first] as const)),
)

/** The weekdays and months that a text names, each in one spelling, in any case and with the endings of a noun. One said twice in a row is a slip of the tongue. */
export function findDays(text: string): string[] {
  const found = Array.from(text.matchAll(WORD), ([word]) => dayOf(word.toLowerCase()))
  return found.flatMap((day, at) => (day === undefined || day === found[at - 1] ? [] : [day]))
}

function dayOf(word: string): string | undefined {
  return days.get(word) ?? days.get(word.replace(/(?<=dag)(?:ene?|er|ane?|ar|s|ens)$/, '')) ?? days.get(word.replace(/s$/, ''))
}
