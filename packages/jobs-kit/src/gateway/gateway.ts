import type { JsonValue } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { z } from 'zod'
import type { ChatMessage } from '../ai-text/messages/chat-message.ts'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import type { Cut } from './cut-lists.ts'
import type { CallFacts } from './usage.ts'

/** Where the AI gateway is: LiteLLM's proxy, OpenRouter, or what speaks like OpenAI. */
export interface GatewayConfig {
  /** Address of the server (AI_GATEWAY_URL), without `/v1`. */
  readonly url: URL
  /** Sent as a bearer token (AI_GATEWAY_KEY). */
  readonly apiKey?: string | undefined
  /** How long one call may take, in milliseconds: longer than the gateway's own limit, so that its fallbacks can work. Default 300,000. */
  readonly timeoutMs?: number | undefined
  /**
   * How vectors are asked for (AI_EMBEDDING_FORMAT): as numbers, as base64, or without the field, which some models refuse. Default float. Whatever
   * comes is read, be it numbers or base64.
   */
  readonly embeddingFormat?: EmbeddingFormat | undefined
}

/** `encoding_format` of a call for vectors; `omit`: not sent at all. */
export type EmbeddingFormat = 'float' | 'base64' | 'omit'

/** Which of the collection's models answers; their names stand in its settings. */
export type ModelRole = 'routine' | 'reasoning'

/** One question: instructions and data apart, and what shape the reply has. */
export interface Question<Schema extends z.ZodType = z.ZodType> {
  /** Unique within the job, `[a-z0-9-]`, 1 … 60 characters: names the step, the schema and the row in `ai_calls`. Anything else is refused before something is asked. */
  readonly name: string
  readonly model: ModelRole
  /** What is to be done. The collection's own `prompts` for the job type are added. Never a word of the data. */
  readonly instructions: string
  /**
   * What it is to be done with. It goes over as JSON, marked as data, and the model is told to follow no instructions in it. It may do so all the same: believe nothing of a
   * reply that the data does not bear out.
   */
  readonly data: JsonValue
  /** The reply is checked against it; its strict JSON form is asked for. */
  readonly reply: Schema
  /** Changes whenever instructions or reply change in meaning; kept with each call. */
  readonly promptVersion: string
  /** Of the reply. Default 4,000; asked once more with twice as many when the reply was cut. */
  readonly maxTokens?: number | undefined
  /** Default 0.2. */
  readonly temperature?: number | undefined
  /** Told how many entries went from lists of the reply that were longer than the schema lets them be, by list; not called when none did. See {@link collectCuts}. */
  readonly onCut?: ((cut: Cut) => void) | undefined
  /** Told what each call took that the answer needed, those of earlier attempts included, and those that were refused in this one. */
  readonly onCall?: ((facts: CallFacts) => void) | undefined
  /** US dollars. Once the job has cost as much, nothing more is asked: `COST_CAP_REACHED`. Default: no cap beside the collection's budget. */
  readonly maxJobUsd?: number | undefined
}

/** A prompt as somebody wrote it, for a model that somebody named. */
export interface Prompt {
  /** As a question's. */
  readonly name: string
  /** The model's name, as the gateway knows it. */
  readonly model: string
  /** Sent as they are: nothing is added, and nothing marked as data. */
  readonly messages: readonly ChatMessage[]
  readonly promptVersion: string
  /** Of the reply. One that is cut is not asked for again. */
  readonly maxTokens: number
  readonly temperature: number
  /** For models that can be made to repeat themselves. */
  readonly seed?: number | undefined
  /** As a question's. */
  readonly maxJobUsd?: number | undefined
}

/** What a model made of a prompt, as a type that a step can store. */
export type Completion = {
  /** As it came; '' with an error. Text of a model: escape it where it is shown. */
  output: string
  /** True: it ends in the middle, for want of room. */
  cut: boolean
  /** Why this model has no output for this prompt, however often it is asked; null: it has. */
  error: { code: string; message: string } | null
  facts: CallFacts
}

/** What a handler passes on of what it was given. */
export type AskContext = Pick<HandlerContext<unknown>, 'job' | 'signal' | 'step' | 'log'>

/** The AI gateway. */
export interface Gateway {
  /**
   * Asks, checks the reply, cuts lists that are too long, and has it mended once when it does not fit otherwise. Each call is a durable step: a later attempt gets the stored reply and pays nothing.
   * @throws PermanentError `AI_BUDGET_SPENT`, `COST_CAP_REACHED`, `REPLY_CUT`, `CONTEXT_TOO_LONG` (see {@link needsSplit}), `REPLY_REFUSED`, `REPLY_INVALID`, `REPLY_TOO_LARGE`;
   * TransientError `REPLY_EMPTY`, `REPLY_FAILED`, `GATEWAY_BLOCKED`,
   * `MODEL_KEY_REFUSED`; SnoozeError while the gateway is down; UpstreamError; ConfigurationError `QUESTION_NAME_INVALID`, `REPLY_SCHEMA_UNSUITABLE`.
   */
  ask<Schema extends z.ZodType>(context: AskContext, settings: CollectionSettings, question: Question<Schema>): Promise<z.output<Schema>>
  /**
   * Gets the vectors of texts, in their order, from the collection's `models.embedding`. Few texts a call, fewer where a call is refused; each call is a durable step. A
   * reply with too few vectors, of several lengths, or with what is no number is refused whole.
   * @throws PermanentError `AI_BUDGET_SPENT`, `COST_CAP_REACHED`, `CONTEXT_TOO_LONG` (one text alone is too long), `REPLY_REFUSED`, `EMBEDDING_DIMENSIONS`; TransientError `EMBEDDINGS_INVALID`, `REPLY_FAILED`,
   * `GATEWAY_BLOCKED`, `MODEL_KEY_REFUSED`; SnoozeError while the gateway is down; UpstreamError; ConfigurationError `QUESTION_NAME_INVALID`.
   */
  embed(context: AskContext, settings: CollectionSettings, request: EmbeddingRequest): Promise<Float32Array[]>
  /**
   * Puts a prompt to a model, for what comes of it: to compare prompts and models, not to build on the output. A durable step, as with `ask`; that a model refuses, does not exist, says nothing
   * (it is asked once more then) or cannot take so long a prompt is an outcome, and stored like one.
   * @throws as `ask`, but for `REPLY_CUT`, `REPLY_EMPTY`, `REPLY_REFUSED`, `CONTEXT_TOO_LONG`, `REPLY_TOO_LARGE`, `REPLY_INVALID` and `MODEL_KEY_REFUSED`.
   */
  complete(context: AskContext, settings: CollectionSettings, prompt: Prompt): Promise<Completion>
}

/** Texts whose vectors are wanted. */
export interface EmbeddingRequest {
  /** As that of a {@link Question}. */
  readonly name: string
  /** None of them empty. */
  readonly texts: readonly string[]
  /** Kept with each call. */
  readonly promptVersion: string
  /** As a question's. */
  readonly maxJobUsd?: number | undefined
  /** Told what each call took that was made in this attempt. */
  readonly onCall?: ((facts: CallFacts) => void) | undefined
}
