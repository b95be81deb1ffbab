import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSubtitles } from './parse-subtitles.ts'
import { toPlainText } from './plain-text.ts'
import { renderSubtitles } from './render-subtitles.ts'
import type { RoughSegment } from './segment.ts'
import { tidySegments } from './tidy-segments.ts'

const said = tidySegments([
  { startMs: 0, endMs: 1500, text: 'Hei\npå <deg> & "meg"', speaker: 'Eva <3' },
  { startMs: 1500, endMs: 1500, text: 'fra A --> B', speaker: 'Eva <3' },
  { startMs: 360_000_000, endMs: 360_001_001, text: '00:00:01,000 -> 00:00:02,000', speaker: null },
])

describe('renderSubtitles', () => {
  test('SRT', () => {
    expect(renderSubtitles(said, 'srt')).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\n[Eva <3]: Hei\npå <deg> & "meg"\n\n2\n00:00:01,500 --> 00:00:01,500\n[Eva <3]: fra A -> B\n\n3\n100:00:00,000 --> 100:00:01,001\n- 00:00:01,000 -> 00:00:02,000\n',
    )
  })

  test('VTT', () => {
    expect(renderSubtitles(said, 'vtt')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n<v Eva &lt;3>Hei\npå &lt;deg&gt; &amp; "meg"\n\n00:00:01.500 --> 00:00:01.501\n<v Eva &lt;3>fra A --&gt; B\n\n100:00:00.000 --> 100:00:01.001\n00:00:01,000 -&gt; 00:00:02,000\n',
    )
  })

  test('text', () => {
    expect(renderSubtitles(said, 'txt')).toBe('Eva <3: Hei på <deg> & "meg"\nfra A --> B\n00:00:01,000 -> 00:00:02,000\n')
  })

  test('JSON of the podcast namespace', () => {
    expect(JSON.parse(renderSubtitles(said, 'json'))).toEqual({
      version: '1.0.0',
      segments: [
        { speaker: 'Eva <3', startTime: 0, endTime: 1.5, body: 'Hei\npå <deg> & "meg"' },
        { speaker: 'Eva <3', startTime: 1.5, endTime: 1.5, body: 'fra A --> B', suspect: ['zero_length'] },
        { startTime: 360_000, endTime: 360_001.001, body: '00:00:01,000 -> 00:00:02,000' },
      ],
    })
  })

  test('nothing said', () => {
    const empty = (['srt', 'vtt', 'txt', 'json'] as const).map((format) => renderSubtitles([], format))
    expect(empty).toEqual(['', 'WEBVTT\n', '', '{"version":"1.0.0","segments":[]}\n'])
    expect(empty.slice(0, 2).map((text) => parseSubtitles(text).segments)).toEqual([[], []])
  })
})

describe('what is written can be read again, whatever was said', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom(
      '\n',
      ' ',
      '1',
      '42',
      'NOTE',
      'WEBVTT',
      'STYLE',
      '-->',
      '&',
      '&amp;',
      '<b>',
      '[Eva]: ',
      '00:00:01,000 --> 00:00:02,000',
      '12:30 --',
    ),
  )
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(''))
  const speaker = fc.option(fc.stringMatching(/^[\p{L}&<>;][\p{L} .&<>;]*$/u), { nil: null })
  const segment: fc.Arbitrary<RoughSegment> = fc.record({ startMs: fc.nat(400_000_000), endMs: fc.nat(400_000_000), text, speaker })
  const again = (file: string) =>
    tidySegments(parseSubtitles(file).segments).map(({ startMs, endMs, text: words, speaker: who }) => [startMs, endMs, words, who])

  test('VTT: everything, but that nothing there takes no time', () => {
    fc.assert(
      fc.property(fc.array(segment), (rough) => {
        const segments = tidySegments(rough.filter((each) => each.speaker !== null || !/^\s*\[/.test(each.text))).filter(
          ({ startMs, endMs }) => endMs > startMs,
        )
        expect(again(renderSubtitles(segments, 'vtt'))).toEqual(segments.map((each) => [each.startMs, each.endMs, each.text, each.speaker]))
      }),
    )
  })

  test('SRT: what it has signs for', () => {
    fc.assert(
      fc.property(fc.array(segment), (rough) => {
        const plain = rough.map((each) => ({
          ...each,
          text: each.text.replace(/-{2,}>/g, '->'),
          speaker: each.speaker?.replace(/[<>]/g, '') || null,
        }))
        const writable = plain.filter((each) => toPlainText(each.text, 'srt').text === each.text && !/\d[:\d,.]* ?->/.test(each.text))
        const segments = tidySegments(writable)
        expect(again(renderSubtitles(segments, 'srt'))).toEqual(segments.map((each) => [each.startMs, each.endMs, each.text, each.speaker]))
      }),
    )
  })
})
