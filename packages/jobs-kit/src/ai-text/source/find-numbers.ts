import { type NumberWord, readNumberWord } from './number-words.ts'

/** A number that a text says, in digits or in words. */
export interface SaidNumber {
  /** As it is compared: `1500`, `3.5`, `-5`. */
  readonly value: string
  /** "En" may be an article. */
  readonly isVague: boolean
  /** Where it begins and ends. */
  readonly from: number
  readonly to: number
}

const TOKEN =
  /(?<minus>(?<![\p{L}\p{N}][-\u2212]?)[-\u2212](?=\d))?(?<digits>\d+(?:[.,:/]\d+|[ \u00a0\u202f]\d{3}(?!\d))*)|(?<word>\p{L}[\p{L}\p{M}]*)/gu
const ENGLISH = /(?<![\p{L}\p{N}])(?:the|and|of|is)(?![\p{L}\p{N}])/iu

type Token = { words: readonly NumberWord[]; digits?: string; from: number; to: number }

/** The numbers of a text in their order: "fem hundre", "5 hundre" and "500" are one and the same. A number said twice in a row is a slip of the tongue. */
export function findNumbers(text: string): SaidNumber[] {
  const groups: { tokens: Token[]; sum: Sum }[] = []
  for (const token of tokensOf(text)) {
    const last = groups.at(-1)
    const end = last?.tokens.at(-1)?.to ?? 0
    const between = text.slice(end, token.from)
    const sum = last && /^(?:\s+(?:og\s+|and\s+)?|-)$/i.test(between) ? added(last.sum, token, between) : undefined
    if (last && sum) Object.assign(last, { tokens: [...last.tokens, token], sum })
    else groups.push({ tokens: [token], sum: startOf(token) })
  }
  const numbers = groups.map(({ tokens, sum }): SaidNumber => {
    const [from, to] = [tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0]
    const isMinus = /(?<!\p{L})minus\s+$/iu.test(text.slice(Math.max(0, from - 8), from))
    const [only, ...more] = tokens.flatMap(({ words }) => words)
    return { value: `${isMinus ? '-' : ''}${written(sum)}`, isVague: more.length === 0 && (only?.isVague ?? false), from, to }
  })
  return numbers.filter(({ value, from }, at) => {
    const before = numbers[at - 1]
    return before === undefined || before.value !== value || /\S/.test(text.slice(before.to, from))
  })
}

function* tokensOf(text: string): Generator<Token> {
  const isEnglish = ENGLISH.test(text)
  for (const { index: from, 0: all, groups } of text.matchAll(TOKEN)) {
    const { minus, digits, word } = groups ?? {}
    const to = from + all.length
    if (digits !== undefined) yield { words: [], digits: `${minus ? '-' : ''}${plainNumber(digits)}`, from, to }
    const words = word === undefined ? [] : readNumberWord(word.toLowerCase(), isEnglish)
    if (words.length > 0) yield { words, from, to }
  }
}

/** What a run of number words comes to so far. */
interface Sum {
  /** Of whole thousands and millions. */
  readonly total: number
  readonly below: number
  /** Only smaller ones than that may still follow: a million, a thousand; 0 where nothing may. */
  readonly scale: number
  /** As it is written; undefined once it was multiplied. */
  readonly digits?: string | undefined
}

const nothing: Sum = { total: 0, below: 0, scale: Number.POSITIVE_INFINITY }

function startOf({ words, digits }: Token): Sum {
  if (digits !== undefined) return { ...nothing, digits }
  const [first, ...rest] = words
  const start = first === undefined ? nothing : (plus(nothing, first) ?? nothing)
  return rest.reduce((sum, word) => plus(sum, word) ?? sum, start)
}

/** Undefined where it is another number. "Og" joins only what is said after hundreds and thousands; an article and "andre" begin something else. */
function added(sum: Sum, { words, digits }: Token, between: string): Sum | undefined {
  const isJoined = /\p{L}/u.test(between)
  if (digits !== undefined || words[0]?.isVague || (isJoined && (sum.digits !== undefined || sum.below % 100 !== 0))) return undefined
  return words.reduce<Sum | undefined>((all, word) => all && plus(all, word), sum)
}

function plus(sum: Sum, { value, isScale }: NumberWord): Sum | undefined {
  const { total, below, scale, digits } = sum
  if (digits !== undefined) return isScale ? { total: Math.round(Number(digits) * value * 1e6) / 1e6, below: 0, scale: 0 } : undefined
  if (!isScale) return fits(sum, value) ? { total, below: below + value, scale: value === 0 ? 0 : scale } : undefined
  if (value === 100) return below < 100 && scale > 100 ? { total, below: Math.max(1, below) * 100, scale } : undefined
  return value < scale ? { total: total + Math.max(1, below) * value, below: 0, scale: value } : undefined
}

/** First of all, after hundreds, after thousands, or units after tens. */
function fits({ below, scale }: Sum, value: number): boolean {
  if (below % 100 === 0) return scale > 0 && value < 100
  return value > 0 && value < 10 && below % 100 >= 20 && below % 10 === 0
}

function written({ total, below, digits }: Sum): string {
  return digits ?? String(total + below)
}

/** 10 000, 10.000 and 10000 are one number, 3,5 and 3.5 too, 12:30 and 12.30 one time. */
function plainNumber(number: string): string {
  const joined = number.replace(/[ \u00a0\u202f]/g, '')
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(joined) ? joined.replace(/[.,]/g, '') : joined.replace(/[,:/]/g, '.')
}
