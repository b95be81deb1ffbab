import { z } from 'zod'
import { legibleValue } from '../ai-text/reply/legible.ts'
import { parseReply } from '../ai-text/reply/parse-reply.ts'
import { fromStrict } from '../ai-text/reply-schema/from-strict.ts'
import { type Cut, collectCuts, cutLists } from './cut-lists.ts'

/** A reply that fits the schema, and what was cut so that it does; or what is wrong with it, in words for the model. */
export type ReadAnswer<Value> = { fits: true; value: Value; cut: Cut } | { fits: false; problem: string }

const longestProblem = 500
/** Lists within lists, so often. */
const deepestLists = 5

/**
 * Reads a whole reply. Where only lists are too long they are cut: what is in them is paid for. Not for a reply that was cut itself: half of it may look
 * like all.
 */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, content: string): ReadAnswer<z.output<Schema>> {
  const value = parseReply(content)
  if (value === undefined) return { fits: false, problem: 'it is not JSON' }
  const { cut, onCut } = collectCuts()
  const problems: string[] = []
  let given = fromStrict(schema, legibleValue(value))
  // zod looks into a list only when its length is right: what is wrong in it comes to light when it is cut.
  for (;;) {
    const parsed = schema.safeParse(given)
    if (parsed.success) return { fits: true, value: parsed.data, cut }
    problems.push(z.prettifyError(parsed.error).replace(/\s+/g, ' '))
    const shortened = problems.length <= deepestLists ? cutLists(given, parsed.error.issues) : undefined
    if (shortened === undefined) return { fits: false, problem: problems.join(' ').slice(0, longestProblem) }
    onCut(shortened.cut)
    given = shortened.value
  }
}
