import type { Answer } from '../server/answer.ts'
import type { ReceivedRequest } from '../server/received.ts'
import type { StandInOptions } from '../server/stand-in.ts'
import type { ChatRequest } from './chat/chat-request.ts'
import type { Embedder } from './vectors/hashed-ngrams.ts'

/** Whose headers and errors: a LiteLLM proxy, or OpenRouter. */
export type GatewayDialect = 'litellm' | 'openrouter'

/** Who is let in, and what can be asked. */
export interface GatewayStandInOptions extends StandInOptions {
  /** Default litellm: the cost is in a header. With openrouter it stands in the body, and codes of errors are numbers. */
  dialect?: GatewayDialect
  /** The key that is let in, as `Authorization: Bearer …`; default: none is asked for. */
  apiKey?: string
  /** Aliases that the demo model answers to; default `sidelinja/rutine` and `sidelinja/resonnering`. `scripted/…` is always there. */
  models?: readonly string[]
  /** Longest prompt and answer together, in tokens of four characters; more is refused as a real model refuses it. Default 128 000. */
  contextTokens?: number
  /** Made-up prices, in USD per million tokens; default 0.15 for what is sent and 0.60 for what is answered. */
  usdPerMillionTokens?: { prompt: number; completion: number }
  /** Asked in place of the demo model, for the aliases of `models` (others are refused before) and not for `scripted/…`; what it returns is sent, undefined lets the model answer. `gatewayReply(…)` makes such answers. */
  answer?: (request: GatewayRequest) => Answer | undefined | Promise<Answer | undefined>
  /** What vectors the alias `sidelinja/embed` gives; default {@link hashedNgrams}, which is no model. */
  embedder?: Embedder
  /** Asked in place of the embedder; what it returns is sent, undefined lets the embedder answer. `embeddingsAnswer(…)` makes such answers. */
  answerEmbeddings?: (texts: readonly string[]) => Answer | undefined | Promise<Answer | undefined>
}

/** A request to the gateway. */
export interface GatewayRequest extends ReceivedRequest {
  /** As it was received; undefined before. */
  body: string
  /** What the body says, where it is JSON with an object; else undefined. */
  chat: ChatRequest | undefined
}
