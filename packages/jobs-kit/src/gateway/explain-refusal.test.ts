import { expect, test } from 'vitest'
import { UpstreamError } from '../http/upstream-error.ts'
import { explainRefusal, gatewayVerdict } from './explain-refusal.ts'

const refused = (status: number, errorType: string | undefined, bodyExcerpt: string, bodyIsJson = true) =>
  new UpstreamError('UPSTREAM_REJECTED', 'refused', {
    ...{ service: 'gateway', method: 'POST', url: 'http://gateway', status, errorType, bodyExcerpt, bodyIsJson, retryable: false },
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

test('403 that is no JSON is not of the gateway, and counts against it without closing it', () => {
  const page = refused(403, undefined, 'Attention Required! | Sorry, you have been blocked', false)
  expect(explainRefusal(page)).toMatchObject({
    code: 'GATEWAY_BLOCKED',
    kind: 'transient',
    message: expect.stringContaining('in front of'),
  })
  expect(gatewayVerdict(page)).toBe('failure')
})

test.each([
  ['401', refused(401, undefined, 'Authorization Required', false), 'fault'],
  ['a page that names the text', refused(403, undefined, 'Request flagged by the content filter', false), 'success'],
  ['502', refused(502, undefined, 'Bad Gateway', false), 'ignore'],
])('%s as a page is what it would be as JSON', (_name, error, verdict) => {
  expect(explainRefusal(error)).not.toMatchObject({ code: 'GATEWAY_BLOCKED' })
  expect(gatewayVerdict(error)).toBe(verdict)
})
