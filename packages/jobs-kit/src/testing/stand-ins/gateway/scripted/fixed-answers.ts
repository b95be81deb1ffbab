import codeFence200 from './answers/200-code-fence.json' with { type: 'json' }
import contentFilter200 from './answers/200-content-filter.json' with { type: 'json' }
import errorInBody200 from './answers/200-error-in-body.json' with { type: 'json' }
import errorInChoice200 from './answers/200-error-in-choice.json' with { type: 'json' }
import lengthEmptyReasoning200 from './answers/200-length-empty-reasoning.json' with { type: 'json' }
import lengthTruncated200 from './answers/200-length-truncated.json' with { type: 'json' }
import noChoices200 from './answers/200-no-choices.json' with { type: 'json' }
import ok200 from './answers/200-ok.json' with { type: 'json' }
import proseAround200 from './answers/200-prose-around.json' with { type: 'json' }
import refusal200 from './answers/200-refusal.json' with { type: 'json' }
import toolCall200 from './answers/200-tool-call.json' with { type: 'json' }
import wrongSchema200 from './answers/200-wrong-schema.json' with { type: 'json' }
import contextLitellm400 from './answers/400-context-litellm.json' with { type: 'json' }
import contextOpenai400 from './answers/400-context-openai.json' with { type: 'json' }
import key401 from './answers/401-key.json' with { type: 'json' }
import openrouterCredits402 from './answers/402-openrouter-credits.json' with { type: 'json' }
import openrouterInflight402 from './answers/402-openrouter-inflight.json' with { type: 'json' }
import litellm429 from './answers/429-litellm.json' with { type: 'json' }
import overloaded529 from './answers/529-overloaded.json' with { type: 'json' }

/** Answers as gateways and providers give them: file name without its ending, which begins with the status, to body. */
export const fixedAnswers: Readonly<Record<string, object>> = {
  '200-code-fence': codeFence200,
  '200-content-filter': contentFilter200,
  '200-error-in-body': errorInBody200,
  '200-error-in-choice': errorInChoice200,
  '200-length-empty-reasoning': lengthEmptyReasoning200,
  '200-length-truncated': lengthTruncated200,
  '200-no-choices': noChoices200,
  '200-ok': ok200,
  '200-prose-around': proseAround200,
  '200-refusal': refusal200,
  '200-tool-call': toolCall200,
  '200-wrong-schema': wrongSchema200,
  '400-context-litellm': contextLitellm400,
  '400-context-openai': contextOpenai400,
  '401-key': key401,
  '402-openrouter-credits': openrouterCredits402,
  '402-openrouter-inflight': openrouterInflight402,
  '429-litellm': litellm429,
  '529-overloaded': overloaded529,
}
