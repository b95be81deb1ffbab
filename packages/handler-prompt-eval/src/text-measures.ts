/** Letters and digits, small. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Changes of one sign that make one text of the other; Infinity where they are more than `most`. Time grows with the product of the lengths. */
export function levenshtein(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  let before = Uint32Array.from({ length: b.length + 1 }, (_, index) => index)
  let row = new Uint32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    const sign = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const swap = (before[j - 1] as number) + (sign === b.charCodeAt(j - 1) ? 0 : 1)
      row[j] = Math.min(swap, (before[j] as number) + 1, (row[j - 1] as number) + 1)
    }
    ;[before, row] = [row, before]
  }
  const changes = before[b.length] as number
  return changes > most ? Number.POSITIVE_INFINITY : changes
}

/** ROUGE-1: how many words the two have in common, of those of both (F1), 0 … 1. */
export function rouge(output: string, reference: string): number {
  const [said, wanted] = [wordsOf(output), wordsOf(reference)]
  if (said.length === 0 || wanted.length === 0) return 0
  return (2 * common(grams(said, 1), grams(wanted, 1))) / (said.length + wanted.length)
}

/** BLEU-4 against one reference, 0 … 1: precision of runs of one to four words, those that are longer than a text left out and none at all smoothed, and a penalty for what is short. */
export function bleu(output: string, reference: string): number {
  const [said, wanted] = [wordsOf(output), wordsOf(reference)]
  if (said.length === 0 || wanted.length === 0) return 0
  const sizes = [1, 2, 3, 4].filter((size) => size <= Math.min(said.length, wanted.length))
  const precisions = sizes.map((size) => {
    const total = said.length - size + 1
    const found = common(grams(said, size), grams(wanted, size))
    return found === 0 ? (size === 1 ? 0 : 1 / (2 * total)) : found / total
  })
  const mean = Math.exp(precisions.reduce((sum, each) => sum + Math.log(each), 0) / sizes.length)
  return mean * Math.min(1, Math.exp(1 - wanted.length / said.length))
}

function grams(words: readonly string[], size: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at + size <= words.length; at++) {
    const gram = words.slice(at, at + size).join(' ')
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

function common(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  return [...a].reduce((sum, [gram, count]) => sum + Math.min(count, b.get(gram) ?? 0), 0)
}
