import { type Answer, jsonAnswer } from '../../server/answer.ts'
import { estimateTokens } from '../chat/tokens.ts'
import type { Embedder } from './hashed-ngrams.ts'

const mostTexts = 2_048
const mostTokensOfText = 8_192
const mostTokens = 300_000

/** A call for vectors, as far as the stand-in looks at it. What it really holds is checked first. */
export interface EmbeddingsRequest {
  readonly model: string
  readonly input: string[]
  readonly encoding_format?: 'float' | 'base64'
}

/** Checks a request by the bounds of the strictest. @returns what is wrong with it; undefined when it is well. */
export function checkEmbeddings({ input, encoding_format: format, ...rest }: EmbeddingsRequest): string | undefined {
  const other = Object.keys(rest).find((key) => key !== 'model')
  if (other !== undefined) return `Unrecognized request argument supplied: ${other}`
  if (!Array.isArray(input) || input.length === 0 || input.length > mostTexts) return `'input' must be a list of 1 to ${mostTexts} texts.`
  if (input.some((text) => typeof text !== 'string' || text === '')) return "'$.input' is invalid: empty, or no text."
  if (format !== undefined && format !== 'float' && format !== 'base64')
    return `Invalid value: '${String(format)}'. Expected float or base64.`
  const tokens = input.map(estimateTokens)
  if (tokens.some((count) => count > mostTokensOfText)) return `This model's maximum context length is ${mostTokensOfText} tokens.`
  return tokens.reduce((sum, count) => sum + count, 0) > mostTokens ? `Requested more than ${mostTokens} tokens per request.` : undefined
}

/** The vectors of the texts. */
export async function answerEmbeddings(
  { input, encoding_format: format = 'float' }: EmbeddingsRequest,
  { name, embed }: Embedder,
): Promise<Answer> {
  const tokens = input.reduce((sum, text) => sum + estimateTokens(text), 0)
  return embeddingsAnswer(await embed(input), { format, model: name, promptTokens: tokens })
}

/** An answer with these vectors, in this order. For the option `answer` and `fail({ answer })`. */
export function embeddingsAnswer(
  vectors: readonly (readonly number[])[],
  { format = 'float', model = 'scripted', promptTokens = 10 }: { format?: 'float' | 'base64'; model?: string; promptTokens?: number } = {},
): Answer {
  const data = vectors.map((vector, index) => {
    const embedding = format === 'float' ? vector : Buffer.from(Float32Array.from(vector).buffer).toString('base64')
    return { object: 'embedding', index, embedding }
  })
  return jsonAnswer(200, { object: 'list', data, model, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } })
}
