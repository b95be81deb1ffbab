import { describe, expect, test } from 'vitest'
import { readReport } from './probe-report.ts'

const audio = { codec_type: 'audio', codec_name: 'mp3', sample_rate: '44100', channels: 2, channel_layout: 'stereo', duration: '61.5' }
const picture = { codec_type: 'video', codec_name: 'h264' }
const report = (streams: object[], format: object = {}, warnings = '') =>
  readReport(JSON.stringify({ streams, format: { format_name: 'mp3', duration: '62.000000', ...format } }), warnings)

describe('a report of ffprobe', () => {
  test('the first audio track, and its own length where it has one', () => {
    const { audio: track, ...rest } = report([picture, audio, { ...audio, codec_name: 'aac' }], { format_name: 'mov,mp4' }) ?? {}
    expect(track).toEqual({ codec: 'mp3', sampleRate: 44_100, channels: 2, hasLayout: true, bitRate: undefined })
    expect(rest).toEqual({ formats: ['mov', 'mp4'], streams: 3, durationMs: 61_500, trackMs: 61_500, isEstimate: false })
  })

  const { duration, ...bare } = audio
  test.each([
    ['of the whole file when the sound is all there is', [bare], 62_000, 62_000],
    ['of the whole file, which promises nothing of the sound, beside a picture', [audio, picture], 62_000, undefined],
    ['of the sound beside its cover', [audio, { ...picture, disposition: { attached_pic: 1 } }], 61_500, 61_500],
    ["of Matroska's tag", [{ ...bare, tags: { DURATION: '01:02:03.450000000' } }, picture], 3_723_450, 3_723_450],
    ['none when a tag says nonsense', [{ ...bare, tags: { DURATION: 'for ever' } }, picture], 62_000, undefined],
  ])('length %s', (_name, streams, durationMs, trackMs) => {
    expect(report(streams)).toMatchObject({ durationMs })
    expect(report(streams)?.trackMs).toBe(trackMs)
  })

  test.each(['N/A', '', '-1', '0', 'Infinity', 'NaN'])('a length of %j is none', (length) => {
    expect(report([{ ...audio, duration: length }], { duration: length })).toMatchObject({ durationMs: undefined, trackMs: undefined })
  })

  test('an estimate is known by what ffprobe warns of', () => {
    expect(report([audio], {}, '[mp3 @ 0x1] Estimating duration from bitrate, this may be inaccurate')).toMatchObject({ isEstimate: true })
    expect(report([audio], {}, '[mp3 @ 0x1] invalid concatenated file detected - using bitrate for duration')).toMatchObject({
      isEstimate: true,
    })
  })

  test('a track that nobody knows has no codec, and one of odd figures none', () => {
    expect(report([{ codec_type: 'audio', codec_name: 'unknown', sample_rate: 'x', channels: -1 }])?.audio).toEqual({
      ...{ codec: undefined, sampleRate: 0, channels: -1, hasLayout: false, bitRate: undefined },
    })
  })

  test.each(['', '{', 'null', '[]', '{}', '{"streams":[]}', '{"format":{}}'])('%j is no report', (json) => {
    expect(readReport(json, '')).toBeUndefined()
  })
})
