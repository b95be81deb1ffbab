import { z } from 'zod'
import { legibleValue } from '../ai-text/reply/legible.ts'
import { parseReply } from '../ai-text/reply/parse-reply.ts'
import { fromStrict } from '../ai-text/reply-schema/from-strict.ts'

/** A reply that fits the schema, or what is wrong with it, in words for the model. */
export type ReadAnswer<Value> = { fits: true; value: Value } | { fits: false; problem: string }

const longestProblem = 500

/** Reads a whole reply. Not for one that was cut: half of it may look like all. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, content: string): ReadAnswer<z.output<Schema>> {
  const value = parseReply(content)
  if (value === undefined) return { fits: false, problem: 'it is not JSON' }
  const parsed = schema.safeParse(fromStrict(schema, legibleValue(value)))
  if (parsed.success) return { fits: true, value: parsed.data }
  const problem = z.prettifyError(parsed.error).replace(/\s+/g, ' ')
  return { fits: false, problem: problem.slice(0, longestProblem) }
}
