import type { Draft } from './draft.ts'

/** Twice somebody may say it; more often a recogniser is caught in a loop. */
const RUN = 3

/** Flags runs of segments with the same words, and segments without any. */
export function flagRepeats(drafts: readonly Draft[]): void {
  const keys = drafts.map(({ text }) => wordsOf(text))
  for (let first = 0; first < drafts.length; ) {
    const key = keys[first]
    let next = first + 1
    while (next < drafts.length && keys[next] === key) next++
    for (const draft of drafts.slice(first, next)) {
      if (key === '') draft.suspect.add('no_words')
      if (next - first >= RUN) draft.suspect.add('repeated')
    }
    first = next
  }
}

/** Without case, punctuation and blanks. */
function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
