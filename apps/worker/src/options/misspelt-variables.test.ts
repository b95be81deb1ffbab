import { expect, test } from 'vitest'
import { misspeltVariables } from './misspelt-variables.ts'

test.each([
  ['SIDELINJA_MAX_CONCURENT', 'SIDELINJA_MAX_CONCURRENT'],
  ['WHISPER_ULR', 'WHISPER_URL'],
  ['WHISPER_GENTEL_URL', 'WHISPER_GENTLE_URL'],
  ['WHISPER_API_KEY_FIEL', 'WHISPER_API_KEY_FILE'],
  ['LIVEKIT_SECRET', 'LIVEKIT_API_SECRET'],
  ['AI_GATEWAY_KYE', 'AI_GATEWAY_KEY'],
  ['AI_GATEWAY_KEY_FIEL', 'AI_GATEWAY_KEY_FILE'],
  ['FORGEJO_TOKENS', 'FORGEJO_TOKEN'],
  ['GENTLE_CONCURRENCE', 'GENTLE_CONCURRENCY'],
])('%s is taken for %s', (name, meant) => {
  expect(misspeltVariables({ [name]: 'x', PATH: '/bin' })).toEqual([{ name, meant }])
})

test('what is right, or somebody else\u2019s, is left alone', () => {
  const right = {
    SIDELINJA_LEASE: '3s',
    WHISPER_URL: 'x',
    WHISPER_API_KEY_FILE: 'x',
    LIVEKIT_URL: 'x',
    GENTLE_DEFER: 'x',
    FORGEJO_TOKEN: 'x',
  }
  const strange = { SIDELINJA_SESSION_COOKIE_DOMAIN: 'x', LEASE: '', LIVEKIT_KEYS: 'a: b', FORGEJO_DOMAIN_NAMES: 'x' }
  // Settings of the servers themselves, from an environment that all containers share.
  const servers = { WHISPER__MODEL: 'small', FORGEJO__server__ROOT_URL: 'x' }
  expect(misspeltVariables({ ...right, ...strange, ...servers })).toEqual([])
})

test('near to one of a service that is set, it is somebody else\u2019s; near to one of ours, it is a slip', () => {
  expect(misspeltVariables({ LIVEKIT_WS_URL: 'wss://b' })).toEqual([{ name: 'LIVEKIT_WS_URL', meant: 'LIVEKIT_URL' }])
  expect(misspeltVariables({ LIVEKIT_WS_URL: 'wss://b', LIVEKIT_URL: 'wss://a' })).toEqual([])
  expect(misspeltVariables({ SIDELINJA_LEESE: '1s', SIDELINJA_LEASE: '2s' })).toHaveLength(1)
})
