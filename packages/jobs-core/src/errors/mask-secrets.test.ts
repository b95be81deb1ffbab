import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

/** Error texts as services write them, the credential in each, and what is to be left. */
const lines = [
  {
    line: 'request to https://gw.example.org/v1 failed: 401 {"error":"Incorrect API key provided: sk-test-AAAABBBBCCCCDDDD1111"}',
    secret: 'sk-test-AAAABBBBCCCCDDDD1111',
    left: ['request to https://gw.example.org/v1 failed: 401 {"error":"Incorrect API key provided: ', '"}'],
  },
  {
    line: 'connect failed: postgres://jobs:hemmelig-passord@db.example.org:5432/app',
    secret: 'hemmelig-passord',
    left: ['connect failed: postgres://jobs:', '@db.example.org:5432/app'],
  },
  {
    line: 'upstream said no. Authorization: Bearer eyJhbGciOi.fake.token',
    secret: 'eyJhbGciOi.fake.token',
    left: ['upstream said no. Authorization: Bearer '],
  },
  {
    line: 'GET https://api.example.org/x?api_key=FAKEKEY123456&q=1 -> 403',
    secret: 'FAKEKEY123456',
    left: ['GET https://api.example.org/x?api_key=', '&q=1 -> 403'],
  },
  { line: 'PGPASSWORD=hemmelig2 psql: error', secret: 'hemmelig2', left: ['PGPASSWORD=', ' psql: error'] },
]

describe('maskSecrets', () => {
  test.each(lines)('masks the credential and nothing else: $line', ({ line, secret, left }) => {
    const masked = maskSecrets(line)
    expect(masked).not.toContain(secret)
    expect(masked).toContain('***')
    for (const part of left) expect(masked).toContain(part)
  })

  test.each(lines)('masks both halves when a line break splits the credential anywhere: $line', ({ line, secret }) => {
    const at = line.indexOf(secret)
    for (let split = 1; split < secret.length; split++) {
      for (const lineBreak of ['\n', '\r\n']) {
        const masked = maskSecrets(line.slice(0, at + split) + lineBreak + line.slice(at + split))
        if (split >= 4) expect(masked).not.toContain(secret.slice(0, split).slice(-4))
        if (secret.length - split >= 4) expect(masked).not.toContain(secret.slice(split).slice(0, 4))
      }
    }
  })

  test.each(lines)('masks the credential when a line break splits the words before it: $line', ({ line, secret }) => {
    for (let split = 1; split < line.indexOf(secret); split++) {
      expect(maskSecrets(`${line.slice(0, split)}\n${line.slice(split)}`)).not.toContain(secret)
    }
  })

  test.each(lines)('masks it in JSON, in JSON inside JSON, and in a stack: $line', ({ line, secret }) => {
    expect(maskSecrets(JSON.stringify({ error: { message: line } }))).not.toContain(secret)
    expect(maskSecrets(JSON.stringify({ body: JSON.stringify({ message: line }) }))).not.toContain(secret)
    const stack = maskSecrets(`Error: ${line}\n    at handler (/srv/app/handler.js:12:5)`)
    expect(stack).not.toContain(secret)
    expect(stack).toContain('\n    at handler (/srv/app/handler.js:12:5)')
  })

  test.each([
    '{"password": "correct horse battery staple"}',
    '{"password": "correct \\" horse"}',
    'body was "{\\"api_key\\":\\"correct\\",\\"n\\":1}"',
    "{ secret: 'correct horse', n: 1 }",
    'postgres://u:p@correct@db.example.org/app',
    'postgres://u:correct/horse@db.example.org/app',
    'x-api-key: correct',
    'client_secret=correct&grant_type=x',
    'Server=db;Password=correct;Port=5432',
    'Cookie: session=correct1',
    'https://generativelanguage.example.org/v1?key=correct',
    'Proxy-Authorization: Basic correct==',
    'Authorization: correct',
    '-----BEGIN RSA PRIVATE KEY-----\nMIcorrect\nabc\n-----END RSA PRIVATE KEY-----',
  ])('leaves nothing of the secret in %s', (text) => {
    expect(maskSecrets(text)).not.toMatch(/correct|horse|battery/)
  })

  test.each([
    'sk-or-v1-0123456789abcdef',
    'sk_live_0123456789ab',
    'ghp_0123456789abcdef',
    'AKIAIOSFODNN7EXAMPLE',
    'hf_AbCdEfGhIjKl',
    'eyJhbGciOi.eyJzdWIi.c2ln',
  ])('knows a key by its form: %s', (key) => {
    expect(maskSecrets(`the gateway got ${key} from us`)).not.toContain(key.slice(-8))
  })

  test.each([
    'The audio is shorter than 50 ms: nothing to transcribe in show/ep-041.mp3.',
    'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
    'Unexpected token: expected a comma, line 3',
    "This model's maximum context length is 8192 tokens. max_tokens: 4096, prompt_tokens=5000",
    'a basic understanding of the bearer certificate is needed. Basic authentication failed; Bearer tokens are refused.',
    'https://user@example.org:8080/path?key_points=3 and mailto:someone@example.org',
    'risk-assessment, sk-learn and pk-constraint failed at step 12/30',
    'duplicate key value violates unique constraint "edges_source_target_kind_key"',
    'Key (source_id)=(0190-41) is not present in table "nodes".',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'Rød grøt med fløte: 17 % 😀',
  ])('leaves ordinary text readable: %s', (text) => {
    expect(maskSecrets(text)).toBe(text)
  })

  test.each([
    ...['a', 'a-', '-', ' ', '\n', ' \n', '"', '\\', ':', '://', 'a://b:', 'a://b:c', '@', 'sk-', 'eyJa', 'eyJaaaaa.', 'eyJaaaaa-'],
    ...[
      'password',
      'password=',
      'password: ',
      'password="',
      "password='\\",
      'token:',
      'authorization',
      'authorization: ',
      'bearer ',
      'bearer a',
    ],
    ...['api ', 'api key provided', '-----BEGIN PRIVATE KEY-----', '?key=', 'secret\\"', 'cookie:a', 'å'],
  ])('does not slow down on a long text of %j', (unit) => {
    // Ten times what is ever masked: what grows with the square of the length would take many seconds.
    const text = unit.repeat(Math.ceil(200_000 / unit.length))
    const before = process.cpuUsage()
    maskSecrets(text)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  })

  test('keeps everything that is not masked, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '\n', ':', '=', '"', '/', '@', 'password', 'sk-', 'token') }),
        (text) => {
          const parts = maskSecrets(text).split('***')
          let from = 0
          for (const part of parts) {
            const at = text.indexOf(part, from)
            expect(at).toBeGreaterThanOrEqual(from)
            from = at + part.length
          }
        },
      ),
    )
  })
})
