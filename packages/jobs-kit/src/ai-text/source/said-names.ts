const WORD = /[\p{L}\p{M}\p{N}]+/gu

/**
 * Tells of a name whether a text has it. One word of it is enough: transcripts have first names, and spell last names as they sound. One with a capital, since
 * a name has small words that any text has; where it has none, all of it.
 */
export function saidNames(text: string): (name: string) => boolean {
  const said = new Set(comparable(text).match(WORD))
  const isSaid = (word: string) => said.has(comparable(word))
  return (name) => {
    const words = (name.match(WORD) ?? []).filter((word) => word.length > 1)
    const capitals = words.filter((word) => /^\p{Lu}/u.test(word))
    return capitals.length > 0 ? capitals.some(isSaid) : words.length > 0 && words.every(isSaid)
  }
}

function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
