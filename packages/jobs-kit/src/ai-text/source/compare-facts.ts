/** What a text says that another does not: numbers as they are compared (`1500`, `3.5`), names as they are written. Each once. */
export interface FactChanges {
  readonly lostNumbers: readonly string[]
  readonly newNumbers: readonly string[]
  readonly lostNames: readonly string[]
  readonly newNames: readonly string[]
}

const NUMBER = /\d+(?:[.,:/]\d+|[ \u00a0\u202f]\d{3}(?!\d))*/g
const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu
const NAME = /(?<=[\p{L}\p{N},;/] ?[«"“(]?)(?<![\p{L}\p{M}'’-])\p{Lu}[\p{L}\p{M}'’-]+/gu

/** Small numbers that one text writes in letters and the other in digits. */
const WRITTEN: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['null zero', 'en ein ett eitt én éin one', 'to two', 'tre three', 'fire four', 'fem five', 'seks six'],
    ['sju syv seven', 'åtte eight', 'ni nine', 'ti ten', 'elleve eleven', 'tolv twelve'],
  ]
    .flat()
    .flatMap((words, value) => words.split(' ').map((word) => [word, String(value)])),
)

/**
 * Compares the numbers and names of a text with those of one made of it, which should say the same: cleaned dictation, neutral wording. Names are words with
 * a capital that does not begin a sentence, and `names`, which are known; they are found in any case and with a genitive's s.
 */
export function compareFacts(before: string, after: string, names: readonly string[] = []): FactChanges {
  const [old, young] = [factsOf(before, names), factsOf(after, names)]
  return {
    lostNumbers: lacking(old.numbers, young.numbers, young.written),
    newNumbers: lacking(young.numbers, old.numbers, old.written),
    lostNames: [...old.names.values()].filter((name) => !young.words.has(bare(name))),
    newNames: [...young.names.values()].filter((name) => !old.words.has(bare(name))),
  }
}

interface Facts {
  readonly numbers: ReadonlySet<string>
  readonly written: ReadonlySet<string>
  /** As they are written first, by what they are without a genitive's s. */
  readonly names: ReadonlyMap<string, string>
  readonly words: ReadonlySet<string>
}

function factsOf(text: string, known: readonly string[]): Facts {
  const composed = text.normalize('NFC')
  const words = composed.match(WORD) ?? []
  const bareWords = new Set(words.map(bare))
  const knownWords = known.flatMap((name) => name.normalize('NFC').match(WORD) ?? []).filter((word) => bareWords.has(bare(word)))
  return {
    numbers: new Set(Array.from(composed.matchAll(NUMBER), ([number]) => plainNumber(number))),
    written: new Set(words.flatMap((word) => WRITTEN[word.toLowerCase()] ?? [])),
    names: new Map([...(composed.match(NAME) ?? []), ...knownWords].reverse().map((name) => [bare(name), name])),
    words: bareWords,
  }
}

function lacking(numbers: ReadonlySet<string>, there: ReadonlySet<string>, written: ReadonlySet<string>): string[] {
  return [...numbers].filter((number) => !there.has(number) && !written.has(number))
}

/** 10 000, 10.000 and 10000 are one number, 3,5 and 3.5 too, 12:30 and 12.30 one time. */
function plainNumber(number: string): string {
  const joined = number.replace(/[ \u00a0\u202f]/g, '')
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(joined) ? joined.replace(/[.,]/g, '') : joined.replace(/[,:/]/g, '.')
}

function bare(word: string): string {
  return word
    .replace(/['’-]+$/, '')
    .replace(/['’]?s$/i, '')
    .toLowerCase()
}
