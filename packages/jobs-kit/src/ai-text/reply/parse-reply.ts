import { jsonSpans } from './json-spans.ts'
import { repairJson } from './repair-json.ts'

/** How many parts of a reply are looked at, longest first. */
const MOST_TRIES = 3

/**
 * The object or list in a model's reply: without the thoughts before it, the words or the code fence around it, and mended where it is nearly JSON
 * (quotes, commas, comments). The longest that the reply holds; undefined when there is none, also when it was cut off. Only for whole replies: one that
 * ended for its length is never parsed, even if it can be.
 */
export function parseReply(text: string): unknown {
  const said = withoutThoughts(text)
  return firstOf([said, ...fenced(said)].flatMap((part) => jsonSpans(part).slice(0, MOST_TRIES)))
}

function firstOf(spans: readonly string[]): unknown {
  for (const span of spans) {
    const value = parseJson(span) ?? repairJson(span)
    if (typeof value === 'object' && value !== null) return value
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Models that think aloud begin with it; drafts in it are not the reply, and one that has not ended has none. */
function withoutThoughts(text: string): string {
  const opening = /^\s*<(think|thinking|reasoning)>/i.exec(text)
  if (!opening) return text
  const end = text.toLowerCase().indexOf(`</${opening[1]?.toLowerCase()}>`)
  return end === -1 ? '' : text.slice(end)
}

/** What stands between code fences: there, a brace in the words before does no harm. */
function fenced(text: string): string[] {
  return text
    .split(/^[ \t]*```\w*[ \t]*\r?$/m)
    .filter((_, index) => index % 2 === 1)
    .slice(0, MOST_TRIES)
}
