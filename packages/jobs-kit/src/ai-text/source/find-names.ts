import { foreignWords, formWords, neighbourWords } from '../language/form-words.ts'

const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{M}'’-]+`
const CAPITAL = new RegExp(String.raw`(?<![\p{L}\p{M}'’-])${NAME_WORD}`, 'gu')
/** After a word, a number or a comma: it does not begin a sentence. */
const WITHIN = /[\p{L}\p{N},;/] ?[«"“(]?$/u
const VOWEL = /[aeiouyæøåàáâäãéèêëíìîïóòôöõúùûü]/u
const mostBefore = 3
/** What nouns and verbs end in when a sentence begins with them, and hardly a name does. */
const ORDINARY = /^.{3,}(?:(?<!s)en|et|ene|ane|ing|inga|inger|ingar|else|heit|het|skap|sjon|isk|lig|leg|ert|te|de|erne|ende|ande|er|ar)$/iu
/** They begin sentences and say nothing of whom. */
const openers = new Set(
  `alle alt altså alltid ai at av bare berre både bra da de deg dei den der dermed derfor det dette di din ditt du eg eh ehm ei eit ein ellers elles en enda
  enn er et etter far fin fint fire fem flere for fordi foran fort fra frå før først får gi gjør gjer god godt greit gå går ha hadde hallo han hans har hei her hm hun ho hva
  hvem hver hvis hvor hvordan hvorfor i igjen ikke ikkje ingen inn innen ja jeg jo kan kanskje kom kommer kva kven kvar korleis kvifor kjem kjære kort la lag lar legg les
  likevel litt liten man mange med meg meir mer men mens mor mot mye mykje må mål mellom min mine mitt nei neste no noe noen noko nokon nå når ny nye nytt nok og også ok okay okei
  om opp oss over per pluss på rett ring ringe sa samme send siden sidan si sier sin sist så selv sjå sjølv skal skriv skulle slik som stor store står svar sånn ta tar takk til to tre
  tror trur um under unnskyld ut utan uten var ved veit vel ver vet vi viktig vil ville viss være vår våre vårt åtte ti ni sju seks
  a all also an and are as at but can do for from he hello her his i if in is it let my no not now of on one or our she so that the their then there they this to two we what
  when where who will with yes you your`
    .trim()
    .split(/\s+/),
)

/** Names that a text has, as they are written. */
export interface FoundNames {
  /** Words with a capital within a sentence. */
  readonly within: readonly string[]
  /** Words with a capital that begin one, and are no common word: likely names. */
  readonly starting: readonly string[]
}

/** Words with a capital. `others` are words in small letters: what has one of them for its beginning is no name, however a sentence begins. */
export function findNames(text: string, others: ReadonlySet<string>): FoundNames {
  const [within, starting]: [string[], string[]] = [[], []]
  const stems = new Set(Array.from(others, stemOf))
  for (const { 0: word, index } of text.matchAll(CAPITAL)) {
    if (WITHIN.test(text.slice(Math.max(0, index - mostBefore), index))) within.push(word)
    else if (!isCommon(word.toLowerCase(), others, stems)) starting.push(word)
  }
  return { within, starting }
}

/** The words that stand as names in a text, in small letters: with a capital, and no common word that begins a sentence. */
export function nameWords(text: string): ReadonlySet<string> {
  const composed = text.normalize('NFKC')
  const small = new Set(Array.from(composed.matchAll(/(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}'’-]*/gu), ([word]) => word))
  const { within, starting } = findNames(composed, small)
  return new Set([...within, ...starting].map((word) => word.replace(/['’-]+$/, '').toLowerCase()))
}

function isCommon(word: string, others: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  const isListed = [openers, formWords.nb, formWords.nn, neighbourWords, foreignWords, others].some((words) => words.has(word))
  return isListed || !VOWEL.test(word) || stems.has(stemOf(word)) || ORDINARY.test(word)
}

/** Befaring and befaringen, taket and tak. */
function stemOf(word: string): string {
  return word.length < 5 ? word : word.slice(0, Math.max(4, word.length - 3))
}
