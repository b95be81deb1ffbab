/** The known key that was most likely meant, or undefined when none is near: other case, `snake_case`, or a slip or two. */
export function didYouMean(key: string, known: readonly string[]): string | undefined {
  const wanted = plain(key)
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, plain(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** `media_prefixes`, `MediaPrefixes` and `mediaPrefixes` are the same word. Long keys are cut: they are near nothing anyway. */
function plain(key: string): string {
  return key
    .slice(0, 64)
    .replaceAll(/[_\-\s]/g, '')
    .toLowerCase()
}

/** Levenshtein: how many letters must be put in, taken out or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
