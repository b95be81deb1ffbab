import type { RunningJob } from '@sidelinja/jobs-core/worker'
import { expect, test } from 'vitest'
import { parseCollectionSettings } from '../settings/parse-collection-settings.ts'
import { chooseFollowUps } from './follow-ups.ts'

const job = { type: 'whisper_transcribe' } as RunningJob
const choose = (followUps: Record<string, string[]>, named?: string[]) =>
  chooseFollowUps(job, named, parseCollectionSettings('c0ffee', { followUps }))
const loop = expect.objectContaining({ kind: 'permanent', code: 'FOLLOW_UP_LOOP' })

test('what the caller names goes before what the collection names, each once', () => {
  expect(choose({ whisper_transcribe: ['srt_parse'] })).toEqual(['srt_parse'])
  expect(choose({ whisper_transcribe: ['srt_parse'] }, ['a', 'b', 'a'])).toEqual(['a', 'b'])
  expect(choose({})).toEqual([])
})

test.each<[string, Record<string, string[]>, string[]?]>([
  ['itself', { whisper_transcribe: ['whisper_transcribe'] }],
  ['itself, named by the caller', {}, ['whisper_transcribe']],
  ['one that has it as its own', { whisper_transcribe: ['srt_parse'], srt_parse: ['whisper_transcribe'] }],
  ['a loop further down', { whisper_transcribe: ['a'], a: ['b'], b: ['c', 'd'], d: ['a'] }],
  ['a loop that the caller’s names lead into', { a: ['b'], b: ['a'] }, ['a']],
])('a loop is refused before anything is paid for: %s', (_, followUps, named) => {
  expect(() => choose(followUps, named)).toThrow(loop)
})

test.each<[string, Record<string, string[]>, string[]?]>([
  ['two ways to the same type', { whisper_transcribe: ['a', 'b'], a: ['c'], b: ['c'] }],
  ['a loop of types that do not follow this one', { whisper_transcribe: ['a'], x: ['y'], y: ['x'] }],
  ['the type once more, and then no further', { srt_parse: ['whisper_transcribe'] }, ['srt_parse']],
])('what comes to an end is none: %s', (_, followUps, named) => {
  expect(choose(followUps, named)).toEqual(named ?? followUps.whisper_transcribe)
})
