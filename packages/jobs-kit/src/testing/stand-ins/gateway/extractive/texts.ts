import { bestSentences, type Sentence } from './sentences.ts'
import type { Source } from './source.ts'
import { isStopword, shorten } from './words.ts'

const fillers = /(?<![\p{L}\p{N}])(?:eh+|øh+m?|ehm+|hm+|mhm|uh+|uhm+|umm*)(?![\p{L}\p{N}])[,.…]*\s*/giu
const repeated = /(?<![\p{L}\p{N}])(\p{L}+)(?:,?\s+\1)+(?![\p{L}\p{N}])/giu
const condition =
  /^(?:hvis|viss|om|dersom|når|da|då|fordi|siden|sidan|selv om|sjølv om|mens|medan|if|when|because|although|while|since)(?!\p{L})/iu
const sentencesPerParagraph = 4

/** The best sentences in their order, as running text. */
export function summarize({ sentences }: Pick<Source, 'sentences'>, count = 4, maxLength = 800): string {
  return shorten(bestSentences(sentences, count).map(asSentence).join(' '), maxLength)
}

/** The best sentences as a list; those with numbers first. */
export function listFacts({ sentences }: Source, count = 6): string {
  const withNumbers = sentences.filter(({ text }) => /\p{N}/u.test(text))
  const chosen = bestSentences(withNumbers.length >= 3 ? withNumbers : sentences, count)
  return chosen.map((sentence) => `- ${asSentence(sentence)}`).join('\n')
}

/** A few words for what a sentence is about: its beginning up to a natural end. */
export function asTitle({ text }: Pick<Sentence, 'text'>, maxLength = 70): string {
  const clean = tidy(text).replace(/\s+/g, ' ')
  const clause = /^(.{15,}?)(?:[,;:–—]| - )/u.exec(clean)?.[1]
  // What comes before the comma of "If we wait, it will rain" is not what it is about.
  const short = clean.length > maxLength && clause !== undefined && !condition.test(clause) ? clause : clean
  return shorten(short, maxLength).replace(/[\s.,;:!–—-]+$/u, '')
}

/** A sentence for running text: tidied, and with an end. */
export function asSentence({ text }: Pick<Sentence, 'text'>): string {
  const clean = tidy(text).replace(/\s+/g, ' ')
  return /[.!?…]["»”’)]?$/u.test(clean) ? clean : `${clean}.`
}

/** All of the source, tidied: nothing is left out but fillers and small words that were said twice. */
export function cleanWhole({ passages, sentences, data }: Source): string {
  if (typeof data.text === 'string' && passages.length > 1) return passages.map(({ text }) => tidy(text)).join('\n\n')
  const paragraphs: string[] = []
  for (let at = 0; at < sentences.length; at += sentencesPerParagraph) {
    paragraphs.push(
      sentences
        .slice(at, at + sentencesPerParagraph)
        .map(asSentence)
        .join(' '),
    )
  }
  return paragraphs.join('\n\n')
}

function tidy(text: string): string {
  const clean = text
    .replace(fillers, '')
    .replace(repeated, (match, word: string) => (isStopword(word.toLowerCase()) && word.toLowerCase() !== 'to' ? word : match))
    .replace(/[ \t]+/g, ' ')
    .replace(/ +([.,;:!?])/g, '$1')
    .trim()
  return clean.charAt(0).toUpperCase() + clean.slice(1)
}
