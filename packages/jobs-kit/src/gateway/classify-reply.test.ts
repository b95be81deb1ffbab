import { describe, expect, test } from 'vitest'
import { classifyReply } from './classify-reply.ts'
import { chatReply } from './reply.ts'
import { readUsage } from './usage.ts'

const classify = (reply: object) => classifyReply(chatReply.parse(reply))
const choice = (message: object, finish_reason: string | null = 'stop') => ({ choices: [{ finish_reason, message }] })

describe('what servers send that are not quite like OpenAI', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: '{"a":' },
    { type: 'text', text: '1}' },
  ]
  const call = (given: unknown) => [{ function: { name: 'reply', arguments: given } }]

  test.each<[string, object, string]>([
    ['content as a list of parts', choice({ content: parts }), '{"a":1}'],
    ['the arguments of a call as an object', choice({ content: null, tool_calls: call({ a: 1 }) }, 'tool_calls'), '{"a":1}'],
    ['words beside a call', choice({ content: 'Her er det.', tool_calls: call('{"a":1}') }, 'tool_calls'), '{"a":1}'],
    ['calls that are none beside content', choice({ content: '{"a":1}', tool_calls: [{ function: null }, 7] }), '{"a":1}'],
    ['a finish_reason nobody knows', choice({ content: '{"a":1}' }, 'ferdig'), '{"a":1}'],
    ['no finish_reason', choice({ content: '{"a":1}' }, null), '{"a":1}'],
    ['a finish_reason that is a number', { choices: [{ finish_reason: 7, message: { content: '{"a":1}' } }] }, '{"a":1}'],
    ['a refusal that says no', choice({ content: '{"a":1}', refusal: false }), '{"a":1}'],
    ['an error that says no', { ...choice({ content: '{"a":1}' }), error: false }, '{"a":1}'],
  ])('%s is read', (_name, reply, content) => expect(classify(reply)).toEqual({ content, cut: false }))

  test.each(['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'max_output_tokens'])('%s is a reply that was cut', (reason) => {
    expect(classify(choice({ content: '{"a":1}' }, reason))).toEqual({ content: '{"a":1}', cut: true })
  })

  test.each<[string, object, string, string]>([
    ['as a text', { error: 'model is loading' }, 'REPLY_FAILED', 'transient'],
    ['with a name for a code', { error: { code: 'rate_limit_exceeded', message: 'slow down' } }, 'REPLY_FAILED', 'transient'],
    ['of the server, by name', { error: { code: 'server_error', message: 'oops' } }, 'REPLY_FAILED', 'transient'],
    [
      'that its server knows to be final',
      { error: { code: 503, message: 'gone', availability: { retryable: false } } },
      'REPLY_REFUSED',
      'permanent',
    ],
    [
      'that its server knows to pass',
      { error: { code: 404, message: 'no provider', availability: { retryable: true } } },
      'REPLY_FAILED',
      'transient',
    ],
    ['of the request, by name', { error: { code: 'invalid_request_error', message: 'no' } }, 'REPLY_REFUSED', 'permanent'],
    [
      'of length, by number and name',
      { error: { code: 400, message: 'Too long', metadata: { error_type: 'context_length_exceeded' } } },
      'CONTEXT_TOO_LONG',
      'permanent',
    ],
    ['of length, without a number', { error: { message: 'Prompt is too long: 9 tokens' } }, 'CONTEXT_TOO_LONG', 'permanent'],
    [
      'of length, in the choice',
      { choices: [{ error: { code: 'context_length_exceeded', message: '' } }] },
      'CONTEXT_TOO_LONG',
      'permanent',
    ],
  ])('an error %s', (_name, reply, code, kind) => {
    expect(() => classify(reply)).toThrow(expect.objectContaining({ code, kind }))
  })
})

describe('what a call took', () => {
  const usage = (given: object, headers = {}) => readUsage(headers, chatReply.parse({ ...choice({ content: '{}' }), ...given }))

  test('numbers may be texts, or no numbers at all', () => {
    expect(usage({ usage: { prompt_tokens: '12', completion_tokens: 7, cost: '0.25' } })).toMatchObject({
      ...{ promptTokens: 12, completionTokens: 7, costUsd: 0.25 },
    })
    expect(usage({ usage: { prompt_tokens: 3e9, completion_tokens: '', cost: 'mye' } })).toMatchObject({
      ...{ promptTokens: null, completionTokens: null, costUsd: null },
    })
    expect(usage({ usage: { cost: 1e6 } })).toMatchObject({ costUsd: null })
    expect(usage({}, { 'x-litellm-response-cost': '1e300' })).toMatchObject({ costUsd: null })
  })

  test('names are such as a column takes', () => {
    expect(usage({ id: 'a\0b', model: `m\ud800${'x'.repeat(1_000)}` })).toMatchObject({
      callId: 'ab',
      modelServed: `m\ufffd${'x'.repeat(198)}`,
    })
  })
})
