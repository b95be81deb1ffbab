import { type Answer, jsonAnswer } from '../server/answer.ts'
import type { Usage } from './chat/completion.ts'
import type { GatewayDialect, GatewayStandInOptions } from './options.ts'

/** What else an answer tells about a call. */
interface CallFacts {
  callId: string
  modelId: string
  modelGroup: string | undefined
  usage: Usage | undefined
  durationMs: number
}

/** How one kind of gateway words its errors and where it tells what a call cost. */
export interface Manners {
  noKey: string
  wrongKey: string
  refuse(status: number, message: string, more: { type: string; param: string | null; code?: string }): Answer
  unknownModel(model: string): Answer
  contextExceeded(limit: number, needed: number): Answer
  finish(answer: Answer, facts: CallFacts): Answer
}

export function mannersOf({ dialect = 'litellm', usdPerMillionTokens }: GatewayStandInOptions): Manners {
  const prices = usdPerMillionTokens ?? { prompt: 0.15, completion: 0.6 }
  const cost = ({ prompt_tokens, completion_tokens }: Usage) =>
    Number(((prompt_tokens * prices.prompt + completion_tokens * prices.completion) / 1_000_000).toFixed(10))
  const byDialect: Record<GatewayDialect, () => Manners> = { litellm: () => likeLiteLlm(cost), openrouter: () => likeOpenRouter(cost) }
  return byDialect[dialect]()
}

/** An error as LiteLLM writes it: its code is text. */
export function liteLlmError(status: number, message: string, type: string | null, param: string | null = null): object {
  return { error: { message, type, param, code: String(status) } }
}

function likeLiteLlm(cost: (usage: Usage) => number): Manners {
  const refuse: Manners['refuse'] = (status, message, { type, param }) => jsonAnswer(status, liteLlmError(status, message, type, param))
  return {
    noKey: 'Authentication Error, No api key passed in.',
    wrongKey: 'Authentication Error, Invalid proxy server token passed.',
    refuse,
    unknownModel: (model) =>
      refuse(
        400,
        `/chat/completions: Invalid model name passed in model=${model}. Call \`/v1/models\` to view available models for your key.`,
        { type: 'invalid_request_error', param: 'model' },
      ),
    contextExceeded: (limit, needed) => {
      const said = `This model's maximum context length is ${limit} tokens. However, you requested ${needed} tokens.`
      const message = `litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - ${said}`
      return jsonAnswer(400, liteLlmError(400, message, null))
    },
    finish: (answer, { callId, modelId, modelGroup, usage, durationMs }) => ({
      ...answer,
      headers: {
        'x-litellm-call-id': callId,
        'x-litellm-version': 'stand-in',
        ...(modelGroup !== undefined && isHeaderText(modelGroup) && { 'x-litellm-model-group': modelGroup }),
        ...(answer.status === 200 && { 'x-litellm-model-id': modelId, 'x-litellm-response-duration-ms': durationMs.toFixed(3) }),
        ...(usage && { 'x-litellm-response-cost': String(cost(usage)) }),
        'x-litellm-attempted-retries': '0',
        'x-litellm-attempted-fallbacks': '0',
        ...answer.headers,
      },
    }),
  }
}

function likeOpenRouter(cost: (usage: Usage) => number): Manners {
  const fail = (status: number, message: string, metadata?: object) =>
    jsonAnswer(status, { error: { code: status, message, ...(metadata && { metadata }) } })
  return {
    noKey: 'No auth credentials found',
    wrongKey: 'User not found.',
    refuse: (status, message) => fail(status, message),
    unknownModel: (model) => fail(400, `${model} is not a valid model ID`),
    contextExceeded: (limit, needed) =>
      fail(400, `This endpoint's maximum context length is ${limit} tokens. However, you requested about ${needed} tokens.`, {
        error_type: 'context_length_exceeded',
      }),
    finish: (answer, { usage }) => {
      if (usage === undefined || usage.cost !== undefined) return answer
      const body = { ...JSON.parse(String(answer.body)), provider: 'stand-in' }
      return { ...answer, body: JSON.stringify({ ...body, usage: { ...body.usage, cost: cost(usage) } }) }
    },
  }
}

function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
