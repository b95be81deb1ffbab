import { z } from 'zod'

const count = z.number().int().nonnegative().nullish().catch(null)
const error = z.looseObject({ message: z.string().catch(''), code: z.union([z.number(), z.string()]).nullish().catch(null) })
const toolCall = z.object({ function: z.object({ arguments: z.string() }) })
const message = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
})
const choice = z.object({ finish_reason: z.string().nullish(), message: message.nullish(), error: error.nullish() })
const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  cost: z.number().nonnegative().nullish().catch(null),
})

/** What a gateway answers with status 200: a completion, or an error all the same. */
export const chatReply = z.object({
  error: error.nullish(),
  id: z.string().nullish().catch(null),
  model: z.string().nullish().catch(null),
  choices: z.array(choice).nullish(),
  usage: usage.nullish().catch(null),
})

/** A parsed answer of the gateway. */
export type ChatReply = z.output<typeof chatReply>
