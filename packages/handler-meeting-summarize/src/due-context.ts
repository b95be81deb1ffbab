/** Up to these words away something belongs to what is said of a day. */
const nearby = 3
const wordsBefore =
  words(`ikke ikkje tidligst tidlegast første fyrste andre tredje fjerde femte siste sist forrige førre annenhver annankvar annakvar annahvar hver kvar
  alle eller mellom cirka omtrent rundt kring nest neste enn kanskje`)
/** Directly before it only: elsewhere they are of something else. */
const wordsJustBefore = words('fra frå etter før om siden sidan ca kl klokka klokken versjon punkt sak side kapittel kvar hver uke veke')
const units = words(
  'dag dager dagar uke uker uka uken veke veker veka veken måned måneder måneden månad månader månaden år året timer timar kvarter',
)
const days =
  words(`mandag måndag tirsdag tysdag onsdag torsdag fredag lørdag laurdag søndag sundag januar februar mars april mai juni juli august september oktober
  november desember morgen morgon overmorgen overmorgon`)
const wordsAfter =
  words(`neste nest forrige førre sist siste fjor tidligst tidlegast eller før etter ikke ikkje annenhver annakvar hver kvar første fyrste helst kanskje jul påske
  lunsj nyttår romjula`)
const numbers = words('en ei ein et eit to tre fire fem seks sju syv åtte ni ti elleve tolv fjorten halvannen halvanna')
const measures = words(
  'million millioner millionar milliard milliarder mill mrd tusen hundre kroner prosent meter kilometer kilo liter grader poeng',
)

/**
 * True where what is quoted of a day is all that is said of it there: by Friday is less than by Friday next week, and before Friday the contrary of not before Friday. False where a word beside
 * it may belong to it, and where it does not stand there.
 */
export function isAllThatIsSaid(quote: string, text: string): boolean {
  const [said, wanted] = [wordsOf(text), wordsOf(quote)]
  if (wanted.length === 0) return false
  const places = said.flatMap((_, at) => (wanted.every((word, n) => said[at + n] === word) ? [at] : []))
  return places.length > 0 && places.every((at) => isBareBefore(said.slice(0, at)) && isBareAfter(said.slice(at + wanted.length)))
}

function isBareBefore(said: readonly string[]): boolean {
  const beside = lastOf(said)
  const last = beside.at(-1) ?? ''
  const touches = wordsJustBefore.has(last) || numbers.has(last) || isNumber(last) || days.has(last)
  return !touches && !beside.some((word) => wordsBefore.has(word)) && !beside.slice(-2).some((word) => units.has(word))
}

function isBareAfter(said: readonly string[]): boolean {
  const stop = said.findIndex((word) => /^[.!?]$/.test(word))
  const beside = said.slice(0, stop === -1 ? nearby : Math.min(stop, nearby))
  const [first = ''] = beside
  if (isNumber(first) || measures.has(first)) return false
  return !beside.some((word) => wordsAfter.has(word) || units.has(word) || days.has(word))
}

function lastOf(said: readonly string[]): readonly string[] {
  const stop = said.findLastIndex((word) => /^[.!?]$/.test(word))
  return said.slice(Math.max(stop + 1, said.length - nearby))
}

function isNumber(word: string): boolean {
  return /^\d/.test(word)
}

/** With the signs that end a sentence, but no dot of a date: "15. januar". */
function wordsOf(text: string): string[] {
  return Array.from(
    text
      .normalize('NFKC')
      .toLowerCase()
      .matchAll(/[\p{L}\p{M}\p{N}]+|[!?]|\.(?!\d)(?=\s|$)/gu),
    ([word]) => word,
  ).flatMap((word, at, all) => (word === '.' && (isNumber(all[at - 1] ?? '') || at === all.length - 1) ? [] : [word]))
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}
