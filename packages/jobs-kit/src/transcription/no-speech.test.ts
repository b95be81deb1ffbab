import { expect, test } from 'vitest'
import { UpstreamError } from '../http/upstream-error.ts'
import { meansNoSpeech } from './no-speech.ts'

const refusal = (status: number, bodyExcerpt?: string) =>
  new UpstreamError('UPSTREAM_UNAVAILABLE', 'm', {
    service: 'transcription',
    method: 'POST',
    url: 'http://x/',
    status,
    bodyExcerpt,
    retryable: true,
  })

test.each([
  [refusal(500, 'RuntimeError: no speech segments found in clip'), true],
  [refusal(500, 'No clip timestamps found. Set vad_filter to False or provide clip_timestamps.'), true],
  [refusal(400, 'No speech detected'), true],
  [refusal(422, 'no voice found'), true],
  [refusal(500, 'Internal Server Error'), false],
  [refusal(500), false],
  [refusal(503, 'no speech model loaded: no speech'), false],
  [new Error('no speech'), false],
  [undefined, false],
])('%s', (error, meant) => {
  expect(meansNoSpeech(error)).toBe(meant)
})
