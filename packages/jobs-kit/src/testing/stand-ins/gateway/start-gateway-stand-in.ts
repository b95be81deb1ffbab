import { readBody } from '../server/read-body.ts'
import type { StandIn } from '../server/stand-in.ts'
import { startStandIn } from '../server/start-stand-in.ts'
import { answerGateway, dressCompletion } from './answer-gateway.ts'
import { parseChat } from './chat/chat-request.ts'
import { modelName } from './extractive/answer-chat.ts'
import type { GatewayRequest, GatewayStandInOptions } from './options.ts'
import { hashedNgrams } from './vectors/hashed-ngrams.ts'

/** A running stand-in for an AI gateway. */
export type GatewayStandIn = StandIn<GatewayRequest>

/**
 * The chat and the vectors of an AI gateway. The model behind it is an extractive demo model: it ranks sentences, counts words and fills the schema
 * that was asked for with what stands in the text, the same each time. `scripted/200-refusal` and the like are models that always
 * give one fixed answer, `scripted/503` one that always fails with that status.
 */
export function startGatewayStandIn(options: GatewayStandInOptions = {}): Promise<GatewayStandIn> {
  const { dialect = 'litellm', embedder = hashedNgrams } = options
  return startStandIn<GatewayRequest>(
    {
      describe: () =>
        `a stand-in for ${dialect === 'litellm' ? 'a LiteLLM proxy' : 'OpenRouter'}: ${modelName}, which picks sentences and counts words, no language model; vectors of ${embedder.name}; costs are made up`,
      receive: async (message, request) => {
        request.body = (await readBody(message, 64 * 1024 * 1024)).toString('utf8')
        request.chat = parseChat(request.body)
      },
      answer: (request) => answerGateway(request, options),
      dress: (answer, request) => dressCompletion(answer, request, options),
    },
    options,
  )
}
