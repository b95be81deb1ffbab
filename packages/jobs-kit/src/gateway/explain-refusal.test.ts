import { describeError } from '@sidelinja/jobs-core/worker'
import { expect, test } from 'vitest'
import { UpstreamError } from '../http/upstream-error.ts'
import { refusedCall } from '../http/upstream-errors.ts'
import { explainRefusal as explain, gatewayVerdict } from './explain-refusal.ts'

const explainRefusal = (error: unknown) => explain(error, { model: 'sidelinja/tenker', role: 'reasoning' })

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
  ['a key, without a name', undefined, 'Invalid API key. The key was flagged as leaked.'],
  ['a key, for a route', undefined, "This key can only access routes=['/moderations']"],
])('403 for %s is about the key, whatever the models are called', (_name, ...given) => {
  const error = refused(403, ...given)
  expect(explainRefusal(error)).toBe(error)
  expect(gatewayVerdict(error)).toBe('fault')
})

test.each<[string, number, string | undefined, string]>([
  [
    ...(['a key', 403, 'key_model_access_denied'] as const),
    "key not allowed to access model. This key can only access models=['omni-moderation-latest']. Tried to access sidelinja/tenker",
  ],
  ['a key, as older releases say it', 401, 'key_model_access_denied', "This key can only access models=['a']. Tried to access b"],
  ['a team', 403, 'team_model_access_denied', "Team not allowed to access model. Models=['llama-guardrail']"],
  ['a user, without a name', 403, undefined, "User not allowed to access model. User can only access models=['a']"],
])('a model that is not for %s is wrong in the settings, and says nothing against the gateway', (_name, ...given) => {
  expect(explainRefusal(refused(...given))).toMatchObject({
    ...{ code: 'UPSTREAM_REJECTED', kind: 'permanent', status: given[0] },
    message: expect.stringMatching(/^Model "sidelinja\/tenker": .*key.* models\.reasoning/),
  })
  expect(gatewayVerdict(refused(...given))).toBe('success')
})

test.each<[number, string | undefined, string]>([
  [400, 'invalid_request_error', '/chat/completions: Invalid model name passed in model=sidelinja/tenker. Call `/v1/models` to view'],
  [400, undefined, 'sidelinja/tenker is not a valid model ID'],
  [404, 'model_not_found', 'The model `sidelinja/tenker` does not exist'],
])('a model that there is none of (%i, %s) names the setting, too', (...given) => {
  expect(explainRefusal(refused(...given))).toMatchObject({
    code: 'UPSTREAM_REJECTED',
    message: expect.stringContaining('models.reasoning'),
  })
  expect(gatewayVerdict(refused(...given))).toBe('success')
})

test.each<[string, number, string | undefined, string]>([
  [
    ...(['a wrong key', 401, undefined] as const),
    'litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided: sk-x. Received Model Group=sidelinja/tenker',
  ],
  ['a key without rights', 403, undefined, 'litellm.PermissionDeniedError: AnthropicException - no access to this model'],
  ['whatever, through OpenRouter', 401, undefined, 'Provider returned error'],
])('a provider that refuses the gateway for %s is trouble of one model, and costs attempts', (_name, ...given) => {
  expect(explainRefusal(refused(...given))).toMatchObject({
    ...{ code: 'MODEL_KEY_REFUSED', kind: 'transient' },
    message: expect.stringContaining('models.reasoning'),
  })
  expect(gatewayVerdict(refused(...given))).toBe('success')
})

test.each<[string, string | undefined, string]>([
  ['LiteLLM', 'auth_error', 'Authentication Error, Invalid proxy server token passed. Received API Key = sk-...x'],
  ['LiteLLM, an expired one', 'expired_key', 'Authentication Error - Expired Key.'],
  ['LiteLLM, whatever it is about', 'auth_error', 'litellm.AuthenticationError: ProxyException - no such key'],
  ['LiteLLM, with no provider named', undefined, 'litellm.AuthenticationError: no key'],
  ['OpenRouter', undefined, 'User not found.'],
])("the worker's own wrong key (%s) closes the gateway", (_name, ...given) => {
  const error = refused(401, ...given)
  expect(explainRefusal(error)).toBe(error)
  expect(gatewayVerdict(error)).toBe('fault')
})

test.each([
  [413, undefined, 'Request Entity Too Large'],
  [403, undefined, 'Your input was flagged'],
] as const)('%i says what it said once, and not what its status means elsewhere', (status, type, text) => {
  const call = { service: 'gateway', method: 'POST', url: new URL('http://gateway/v1/chat/completions'), timeoutMs: 1 }
  const answer = { status, headers: { 'x-request-id': 'r-1' }, text: JSON.stringify({ error: { message: text, type } }) }
  const { code, message } = describeError(explainRefusal(refusedCall(call, answer)))
  expect(code).toBe(status === 413 ? 'CONTEXT_TOO_LONG' : 'REPLY_REFUSED')
  expect(message).toMatch(new RegExp(`answered ${status}\\. It said: ${text} Request r-1\\.$`))
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
