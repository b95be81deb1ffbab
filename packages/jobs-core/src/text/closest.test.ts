import { describe, expect, test } from 'vitest'
import { closest } from './closest.ts'

describe('closest', () => {
  test.each([
    ['whisper_transcibe', 'whisper_transcribe'],
    ['WHISPER_TRANSCRIBE', 'whisper_transcribe'],
    ['stat_parse', 'stats_parse'],
    ['srt_prase', 'srt_parse'],
  ])('%s is most likely %s', (typed, meant) => {
    expect(closest(typed, ['whisper_transcribe', 'stats_parse', 'srt_parse'])).toBe(meant)
  })

  test.each([
    ['media_prefixes', 'mediaPrefixes'],
    ['MediaPrefixes', 'mediaPrefixes'],
    ['time-zone', 'timeZone'],
    ['SIDELINJA LEASE', 'SIDELINJA_LEASE'],
  ])('%s is %s written otherwise', (typed, meant) => {
    expect(closest(typed, ['mediaPrefixes', 'timeZone', 'SIDELINJA_LEASE'])).toBe(meant)
  })

  test('of two that are near it is the nearer', () => {
    expect(closest('srt_parse', ['stats_parse', 'srt_parses'])).toBe('srt_parses')
  })

  test('is silent when nothing is near, or there is nothing', () => {
    expect(closest('prompt_eval', ['whisper_transcribe', 'stats_parse'])).toBeUndefined()
    expect(closest('ab', ['xy', 'x'])).toBeUndefined()
    expect(closest('a'.repeat(10_000), ['a'])).toBeUndefined()
    expect(closest('anything', [])).toBeUndefined()
  })
})
