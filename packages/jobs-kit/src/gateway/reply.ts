import { z } from 'zod'
import { legible } from '../ai-text/reply/legible.ts'

const mostInteger = 2_147_483_647
/** Of `ai_calls.cost_usd`. */
const mostUsd = 999_999

/** Numbers may come as texts; what is none, or more than a column holds, is not known. */
const count = z.union([z.number(), numeric()]).pipe(z.number().int().nonnegative().max(mostInteger)).nullish().catch(null)
/** US dollars. */
export const cost = z.union([z.number(), numeric()]).pipe(z.number().nonnegative().max(mostUsd)).nullish().catch(null)
/** Of a model or a call. */
const name = z
  .string()
  .transform((text) => legible(text).slice(0, 200))
  .nullish()
  .catch(null)

const errorObject = z.looseObject({ message: z.string().catch(''), code: z.union([z.number(), z.string()]).nullish().catch(null) })
/** Some say it in a word, and some say that there is none. */
const error = z.union([
  errorObject,
  z.string().transform((message) => errorObject.parse({ message })),
  z.literal(false).transform(() => null),
])

const textPart = z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text)
/** Some send it in parts: thoughts are none of it. */
const content = z.union([z.string(), z.array(z.union([textPart, z.unknown().transform(() => '')])).transform((parts) => parts.join(''))])
const callArguments = z.union([z.string(), z.record(z.string(), z.unknown()).transform((given) => JSON.stringify(given))])
const toolCall = z.object({ function: z.object({ arguments: callArguments }) })

const message = z.object({
  content: content.nullish(),
  refusal: z.string().nullish().catch(null),
  tool_calls: z.array(toolCall).nullish().catch(null),
})
const choice = z.object({ finish_reason: z.string().nullish().catch(null), message: message.nullish(), error: error.nullish() })
const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  cost,
})

/** What a gateway answers with status 200: a completion, or an error all the same. */
export const chatReply = z.object({
  error: error.nullish(),
  id: name,
  model: name,
  choices: z.array(choice).nullish(),
  usage: usage.nullish().catch(null),
})

const vector = z.object({ index: z.number().int().nullish(), embedding: z.union([z.array(z.number()), z.string()]) })

/** What a gateway answers with status 200 to a call for vectors: those, or an error all the same. */
export const embeddingsReply = z.object({
  ...{ error: error.nullish(), id: name, model: name, usage: usage.nullish().catch(null) },
  data: z.array(vector).nullish(),
})

/** Vectors as they came, numbers or base64. */
export type EmbeddingsReply = z.output<typeof embeddingsReply>

/** A parsed answer of the gateway. */
export type ChatReply = z.output<typeof chatReply>

function numeric() {
  return z.string().regex(/\d/).transform(Number)
}
