import type { Answer } from '../../server/answer.ts'
import type { ChatRequest } from '../chat/chat-request.ts'
import { gatewayReply } from '../chat/completion.ts'
import { estimateTokens } from '../chat/tokens.ts'
import { readData } from './data.ts'
import { fillSchema } from './fill-schema.ts'
import { readSource } from './source.ts'
import { cleanWhole, summarize } from './texts.ts'

/** What the model calls itself, so that nobody takes it for one. */
export const modelName = 'extractive demo model'

/** The model's answer: the requested schema filled from the data between the markers, or without a schema a summary. */
export function answerChat(chat: ChatRequest): Answer {
  const source = readSource(readData(chat.messages))
  const { response_format: format } = chat
  const content =
    format?.type === 'json_schema'
      ? JSON.stringify(fillSchema(format.json_schema.schema, source))
      : format?.type === 'json_object'
        ? JSON.stringify({ summary: summarize(source), text: cleanWhole(source) })
        : summarize(source)
  const limit = chat.max_completion_tokens ?? chat.max_tokens ?? Number.POSITIVE_INFINITY
  const cut = estimateTokens(content) > limit
  return gatewayReply(cut ? content.slice(0, limit * 4) : content, {
    finishReason: cut ? 'length' : 'stop',
    model: modelName,
    promptTokens: estimateTokens(chat.messages.map((message) => message.content).join('')),
  })
}
