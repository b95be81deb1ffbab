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

  test('is silent when nothing is near, or there is nothing', () => {
    expect(closest('prompt_eval', ['whisper_transcribe', 'stats_parse'])).toBeUndefined()
    expect(closest('anything', [])).toBeUndefined()
  })
})
