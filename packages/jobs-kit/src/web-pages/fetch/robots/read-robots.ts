/** One rule of a robots.txt. */
interface RobotsRule {
  readonly allow: boolean
  readonly pattern: string
}

/** More is not read: RFC 9309 wants 500 KiB understood. */
export const MAX_ROBOTS_BYTES = 500 * 1024
const mostRules = 5_000
const longestPattern = 500

/**
 * Whether a robots.txt (RFC 9309) lets a robot of that name read an address: the longest rule that fits, of its own groups, else of those for all; allowed where both are as long, or none fits.
 */
export function mayRead(robotsText: string, robot: string, url: URL): boolean {
  const path = `${url.pathname}${url.search}`
  const fitting = rulesFor(robotsText, robot.toLowerCase())
    .filter(({ pattern }) => fits(pattern, path))
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
  return fitting[0]?.allow ?? true
}

function rulesFor(text: string, robot: string): RobotsRule[] {
  const own: RobotsRule[] = []
  const all: RobotsRule[] = []
  let named = false
  let lists: RobotsRule[][] = []
  let inRules = true
  for (const line of text.slice(0, MAX_ROBOTS_BYTES).split(/[\r\n]+/)) {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:\s*(\S*)/i.exec(line.split('#', 1)[0] ?? '') ?? []
    if (/^user-agent$/i.test(key)) {
      if (inRules) lists = []
      inRules = false
      if (value === '*') lists.push(all)
      if (value.toLowerCase() === robot) lists.push(own)
      named ||= value.toLowerCase() === robot
    } else if (/^(dis)?allow$/i.test(key)) {
      inRules = true
      const rule = { allow: /^a/i.test(key), pattern: encoded(value) }
      if (value !== '' && value.length <= longestPattern) for (const list of lists) if (list.length < mostRules) list.push(rule)
    }
  }
  return named ? own : all
}

/** As an address has it. */
function encoded(pattern: string): string {
  return pattern.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}

/** `*` is any text, `$` at the end is the end. Piece after piece from the left: no pattern takes more time than it is long. */
function fits(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const [first = '', ...pieces] = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1
    if (isLast && anchored) return path.length - piece.length >= at && path.endsWith(piece)
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return !anchored || at === path.length
}
