/** More layers than any reply has. What goes deeper would be too deep for whatever walks through it: that is done by recursion. */
export const deepestNesting = 100

/** Whether a value of JSON lies deeper than that. It looks one level at a time, so that no depth is too deep for it. */
export function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
