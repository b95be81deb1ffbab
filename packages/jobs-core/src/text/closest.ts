/** The candidate a mistyped name most likely meant: other case, other spelling (`media_root`, `mediaRoot`), a slip or two. Undefined when none is near. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(name)
  const near = Math.max(2, Math.floor(wanted.length / 3))
  const [best] = candidates
    .map((candidate) => ({ candidate, length: plain(candidate).length, distance: editDistance(wanted, plain(candidate)) }))
    // With every letter changed, a short word is near every other.
    .filter(({ distance, length }) => distance <= near && distance < Math.max(wanted.length, length))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** `media_prefixes`, `MediaPrefixes` and `media-prefixes` are the same word. Long names are cut: they are near nothing anyway. */
function plain(name: string): string {
  return name
    .slice(0, 64)
    .replaceAll(/[_\-\s]/g, '')
    .toLowerCase()
}

/** Levenshtein distance: how many characters to insert, remove or change. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
