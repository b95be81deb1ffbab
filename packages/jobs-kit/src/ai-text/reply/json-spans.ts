import { deepestNesting } from './nesting.ts'

const MOST_SPANS = 1_000

const OPENING = /[{[]/g
/** Inside JSON only quotes and braces matter; a backslash hides what comes after it. */
const MARKS = /[{}[\]"\\]/g

/**
 * The parts of a text that open with a brace or bracket and close again, longest first. One that never closes ends the search: what would come
 * after its beginning are parts of something cut off, and a part must not pass for the whole.
 */
export function jsonSpans(text: string): string[] {
  const spans: string[] = []
  let from = 0
  while (spans.length < MOST_SPANS) {
    OPENING.lastIndex = from
    const start = OPENING.exec(text)?.index
    const end = start === undefined ? undefined : closing(text, start)
    if (start === undefined || end === undefined) break
    spans.push(text.slice(start, end))
    from = end
  }
  return spans.toSorted((a, b) => b.length - a.length)
}

function closing(text: string, start: number): number | undefined {
  MARKS.lastIndex = start
  let depth = 0
  let inString = false
  for (let mark = MARKS.exec(text); mark; mark = MARKS.exec(text)) {
    const [sign] = mark
    if (sign === '\\') MARKS.lastIndex++
    else if (sign === '"') inString = !inString
    else if (!inString) depth += sign === '{' || sign === '[' ? 1 : -1
    if (depth > deepestNesting) return undefined
    if (depth === 0) return MARKS.lastIndex
  }
  return undefined
}
