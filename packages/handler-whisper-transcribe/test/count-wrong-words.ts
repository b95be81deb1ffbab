/** How many words of a text were heard wrong, missed or made up: the least edits, word by word. */
export function countWrongWords(spoken: string, heard: string): { wrong: number; words: number } {
  const said = wordsOf(spoken)
  const got = wordsOf(heard)
  let row = got.map((_, index) => index + 1)
  row.unshift(0)
  said.forEach((word, index) => {
    const next = [index + 1]
    got.forEach((other, at) => {
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (word === other ? 0 : 1)))
    })
    row = next
  })
  return { wrong: row.at(-1) ?? 0, words: said.length }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? []
}
