import type { AiCall } from '../storage/ai-calls/index.ts'
import { type ChatReply, cost } from './reply.ts'

/** What a call took. */
export type Usage = Pick<AiCall, 'modelServed' | 'promptTokens' | 'completionTokens' | 'reasoningTokens' | 'costUsd' | 'callId'>

type Headers = Readonly<Record<string, string | undefined>>

/** The part of a reply that tells of it. */
export type ReplyWithUsage = Pick<ChatReply, 'id' | 'model' | 'usage'>
/** What a call took, as a type that a step can store. */
export type CallFacts = {
  /** The model that answered, as the gateway names it; null when none did. */
  modelServed: string | null
  promptTokens: number | null
  completionTokens: number | null
  /** US dollars; null when the gateway does not say. */
  costUsd: number | null
  latencyMs: number
}

/** Reads what an answer tells of its cost: LiteLLM in headers, OpenRouter in the body, others not at all. */
export function readUsage(headers: Headers, reply: ReplyWithUsage | undefined): Usage {
  return {
    modelServed: reply?.model ?? headers['x-litellm-model-id'] ?? null,
    promptTokens: reply?.usage?.prompt_tokens ?? null,
    completionTokens: reply?.usage?.completion_tokens ?? null,
    reasoningTokens: reply?.usage?.completion_tokens_details?.reasoning_tokens ?? null,
    costUsd: reply?.usage?.cost ?? cost.parse(headers['x-litellm-response-cost']) ?? null,
    callId: headers['x-litellm-call-id'] ?? reply?.id ?? null,
  }
}
