import { expect, test } from 'vitest'
import { UpstreamError } from '../http/upstream-error.ts'
import { explainRefusal, gatewayVerdict } from './explain-refusal.ts'

const refused = (status: number, errorType: string | undefined, bodyExcerpt: string) =>
  new UpstreamError('UPSTREAM_REJECTED', 'refused', {
    ...{ service: 'gateway', method: 'POST', url: 'http://gateway', status, errorType, bodyExcerpt, retryable: false },
  })

test.each<[string, number, string | undefined, string]>([
  ['moderation', 403, undefined, 'Your chosen model requires moderation and your input was flagged for "violence".'],
  ['a guardrail', 403, undefined, 'Blocked by guardrail: prompt injection patterns detected'],
  ['a policy', 400, 'content_policy_violation', 'litellm.ContentPolicyViolationError: no'],
])('%s is about the text, and says nothing against the gateway', (_name, ...given) => {
  expect(explainRefusal(refused(...given))).toMatchObject({ code: 'REPLY_REFUSED', kind: 'permanent' })
  expect(gatewayVerdict(refused(...given))).toBe('success')
})

test.each<[string, string | undefined, string]>([
  ['a key', undefined, 'Forbidden'],
  [
    'a key, for a model',
    'key_model_access_denied',
    "This key can only access models=['omni-moderation-latest']. Tried to access sidelinja/rutine",
  ],
  ['a team, for a model', 'team_model_access_denied', "Team not allowed to access model. Models=['llama-guardrail']"],
  ['a key, without a name', undefined, 'Invalid API key. The key was flagged as leaked.'],
])('403 for %s is about the key, whatever the models are called', (_name, ...given) => {
  const error = refused(403, ...given)
  expect(explainRefusal(error)).toBe(error)
  expect(gatewayVerdict(error)).toBe('fault')
})
