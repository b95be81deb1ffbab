/** What a number word is worth, and how it goes together with others. */
export interface NumberWord {
  readonly value: number
  /** Hundre, tusen, million: multiplies what stands before it. */
  readonly isScale: boolean
  /** Also an article, a pronoun or a filler: it tells a number only where another text has that number. */
  readonly isVague: boolean
}

const units = [
  ...['null', 'en ein ei et eit ett eitt én éin éi', 'to', 'tre', 'fire', 'fem', 'seks', 'sju syv', 'åtte', 'ni', 'ti', 'elleve', 'tolv'],
  ...['tretten trettan', 'fjorten fjortan', 'femten femtan', 'seksten sekstan', 'sytten syttan', 'atten attan', 'nitten nittan'],
]
const tens = ['tjue tyve', 'tretti tredve', 'førti', 'femti', 'seksti', 'sytti', 'åtti', 'nitti']
const ordinals = [
  ...['', 'første fyrste', 'andre annen annan', 'tredje', 'fjerde', 'femte', 'sjette', 'sjuende sjuande syvende', 'åttende åttande'],
  ...['niende niande', 'tiende tiande', 'ellevte', 'tolvte', 'trettende trettande', 'fjortende fjortande', 'femtende femtande'],
  ...['sekstende sekstande', 'syttende syttande', 'attende attande', 'nittende nittande', 'tjuende tjuande tyvende'],
]
const english = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen'],
  ...['fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const englishTens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const scales: readonly (readonly [string, number])[] = [
  ['hundre', 100],
  ['tusen tusener', 1e3],
  ['million millioner millionar mill', 1e6],
  ['milliard milliarder milliardar mrd', 1e9],
]
const englishScales: readonly (readonly [string, number])[] = [
  ['hundred', 100],
  ['thousand', 1e3],
  ['million millions', 1e6],
  ['billion billions', 1e9],
]
const vague = new Set('en ein ei et eit ett eitt én éin éi one første fyrste andre annen annan'.split(' '))
const roundOrdinals = ['trettiende trettiande', 'førtiende førtiande', 'femtiende femtiande']

const norwegianWords = wordsOf(
  [
    ...units.map((names, value) => [names, value] as const),
    ...tens.map((names, at) => [names, 10 * (at + 2)] as const),
    ...ordinals.map((names, value) => [names, value] as const),
    ...roundOrdinals.map((names, at) => [names, 10 * (at + 3)] as const),
  ],
  scales,
)
const englishWords = wordsOf(
  [...english.map((name, value) => [name, value] as const), ...englishTens.map((name, at) => [name, 10 * (at + 2)] as const)],
  englishScales,
)

/** Longest first, so that seksti is not seks. */
const alternatives = [...norwegianWords.keys()].filter((word) => word !== 'mill' && word !== 'mrd').toSorted((a, b) => b.length - a.length)
const PIECE = new RegExp(`(?:og)?(${alternatives.join('|')})`, 'gy')
const mostLetters = 60

/** The number words that one written word is made of: tjuefem, femogtjue, tohundreogti. None for a word that is no number. */
export function readNumberWord(word: string, isEnglish: boolean): readonly NumberWord[] {
  if (word.length > mostLetters) return []
  if (isEnglish) return [englishWords.get(word) ?? []].flat()
  const whole = norwegianWords.get(word)
  if (whole) return [whole]
  const pieces: NumberWord[] = []
  PIECE.lastIndex = 0
  for (let at = 0; at < word.length; at = PIECE.lastIndex) {
    const piece = norwegianWords.get(PIECE.exec(word)?.[1] ?? '')
    if (piece === undefined) return []
    pieces.push(piece)
  }
  return word.startsWith('og') ? [] : backToFront(pieces)
}

/** Femogtjue is said the units first. */
function backToFront(pieces: readonly NumberWord[]): NumberWord[] {
  const sorted: NumberWord[] = []
  for (const piece of pieces) {
    const last = sorted.at(-1)
    const isTurned = last !== undefined && !last.isScale && last.value < 10 && !piece.isScale && piece.value >= 20
    sorted.splice(isTurned ? -1 : sorted.length, 0, piece)
  }
  return sorted
}

function wordsOf(
  plain: readonly (readonly [string, number])[],
  multiplying: readonly (readonly [string, number])[],
): ReadonlyMap<string, NumberWord> {
  const listed = (all: readonly (readonly [string, number])[], isScale: boolean) =>
    all.flatMap(([names, value]) =>
      names
        .split(' ')
        .filter((name) => name !== '')
        .map((name) => [name, { value, isScale, isVague: vague.has(name) }] as const),
    )
  return new Map([...listed(plain, false), ...listed(multiplying, true)])
}
