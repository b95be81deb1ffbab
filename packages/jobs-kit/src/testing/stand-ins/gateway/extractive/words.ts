import { type Language, stopwords } from './stopwords.ts'

/** Words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu) ?? []
}

/** What inflections of a word have in common, roughly: its first six letters. */
export function stem(word: string): string {
  return word.slice(0, 6)
}

/** Words that carry meaning. */
export function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => word.length > 2 && !isStopword(word))
}

export function isStopword(word: string): boolean {
  return stopwords.nb.has(word) || stopwords.nn.has(word) || stopwords.en.has(word)
}

/** The language whose function words a text has most of; nb when there are none. */
export function languageOf(text: string): Language {
  const words = wordsOf(text)
  const votes = (['nb', 'nn', 'en'] as const).map((language) => ({
    language,
    count: words.filter((word) => stopwords[language].has(word)).length,
  }))
  return votes.reduce((best, vote) => (vote.count > best.count ? vote : best)).language
}

/** A text at most so long, cut between words. What is left is the beginning of the text, letter for letter. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength + 1)
  const space = cut.lastIndexOf(' ')
  return (space > maxLength / 2 ? cut.slice(0, space) : cut.slice(0, maxLength)).trimEnd()
}
