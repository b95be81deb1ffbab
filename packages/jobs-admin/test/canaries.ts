import type { JsonValue } from '@sidelinja/jobs-core'

/** Each holds CANARY, with which nothing of it may be left. */
export const canaries: JsonValue[] = [
  { password: 'CANARY' },
  { passwd: 'CANARY' },
  { db_password: 'CANARY' },
  { clientSecret: 'CANARY' },
  { 'client-secret': 'CANARY' },
  { accessToken: 'CANARY' },
  { refresh_token: 'CANARY' },
  { token: ['CANARY', { a: 'CANARY' }] },
  { 'X-Api-Key': 'CANARY' },
  { apikey: 'CANARY' },
  { APIKey: 'CANARY' },
  { openaiApiKey: 'CANARY' },
  { Authorization: 'Token CANARY' },
  { 'proxy-authorization': 'CANARY' },
  { cookie: 'a=CANARY' },
  { 'Set-Cookie': ['CANARY'] },
  { credentials: { user: 'kari', value: 'CANARY' } },
  { privateKey: 'CANARY' },
  { private_key: 'CANARY' },
  { session: 'CANARY' },
  { sessionId: 'CANARY' },
  { SENTRY_DSN: 'https://CANARY@sentry.example.org/1' },
  { PGPASSWORD: 'CANARY' },
  { passord: 'CANARY' },
  { name: 'Authorization', value: 'CANARY' },
  { key: 'DB_PASSWORD', value: 'CANARY' },
  ['--password', 'CANARY'],
  ['Cookie', 'CANARY'],
  'Authorization: Bearer CANARY0123456789',
  'bearer CANARY0123456789abc',
  'sk-CANARY0123456789AB',
  'sk-or-v1-CANARY0123456789',
  'ghp_CANARY0123456789',
  'eyJhbGciOiJIUzI1NiJ9.CANARY.c2lnbmF0dXJl',
  'postgres://jobs:CANARY@db.example.org/app',
  'https://CANARYCANARYCANARY@git.example.org/repo.git',
  'https://api.example.org/x?api_key=CANARY&q=1',
  'https://api.example.org/x?next=%2Flogin%3Fpassword%3DCANARY12',
  '-----BEGIN RSA PRIVATE KEY-----\nMIICANARY\n-----END RSA PRIVATE KEY-----',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nCANARY\n-----END OPENSSH PRIVATE KEY-----',
  'the token is CANARY0123456789abcdef',
  'passord CANARY0123456789abcdef',
  'body was "{\\"client_secret\\":\\"CANARY\\"}"',
  '{"session":"CANARY","n":1}',
  { 'sk-CANARY0123456789AB': 1 },
  { 'postgres://jobs:CANARY@db.example.org/app': { ok: true } },
  { 'password=CANARY': null },
  'curl -H "X-Api-Key: CANARY" https://x',
  'https://hooks.slack.example/services/T000/B000/CANARYCANARY',
  'Server=db;User=x;Password=CANARY;',
]

/** How a secret hides in a text. */
export const encodings: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'base64 in a sentence': (text) => `The answer was ${Buffer.from(text).toString('base64')}, which is odd.`,
  'a data URL': (text) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
}
/** What may be left of none. */
export const traces = /CANARY|Q0FOQVJZ|NBTkFSW|DQU5BUl|43414e415259/i

/** The value so many levels down. */
export function nest(value: JsonValue, depth: number): JsonValue {
  let nested = value
  for (let level = 1; level < depth; level++) nested = level % 2 === 0 ? { inner: nested } : ['x', nested]
  return nested
}
