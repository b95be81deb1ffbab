/** So many letters make a group. */
const groupLength = 3

/**
 * How much texts have in common letter by letter, from 0 to 1; groups that stand in most of them, as those of “the municipality should”, count for little. A model may place two wordings of the same question far apart, in a language that it hardly knows,
 * or two forms of one: their letters do not.
 */
export function letterLikeness(texts: readonly string[]): (a: string, b: string) => number {
  const groups = new Map(texts.map((text) => [text, groupsOf(text)]))
  const times = new Map<string, number>()
  for (const own of groups.values()) for (const group of own) times.set(group, (times.get(group) ?? 0) + 1)
  const weight = (group: string) => Math.log(1 + groups.size / (times.get(group) ?? 1))
  const total = (of: Iterable<string>) => {
    let sum = 0
    for (const group of of) sum += weight(group)
    return sum
  }
  const totals = new Map([...groups].map(([text, own]) => [text, total(own)]))
  return (a, b) => {
    const [left = new Set<string>(), right = new Set<string>()] = [groups.get(a), groups.get(b)]
    const whole = (totals.get(a) ?? 0) + (totals.get(b) ?? 0)
    return whole === 0 ? 0 : (2 * total([...left].filter((group) => right.has(group)))) / whole
  }
}

function groupsOf(text: string): Set<string> {
  const padded = ` ${text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  return new Set(Array.from({ length: Math.max(0, padded.length - groupLength + 1) }, (_, at) => padded.slice(at, at + groupLength)))
}
