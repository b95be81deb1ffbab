import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSubtitles } from './parse-subtitles.ts'

const read = (source: Uint8Array | string) => {
  const { segments, notes } = parseSubtitles(source)
  return [segments.map(({ startMs, endMs, text }) => [startMs, endMs, text]), notes.join(' ')]
}
const at = (second: number) => `00:00:0${second},000 --> 00:00:0${second + 1},000`

describe('SRT', () => {
  test.each<[string, string, unknown[], string]>([
    [
      'plain',
      `1\n${at(0)}\nHei\n\n2\n${at(1)}\nder\n`,
      [
        [0, 1000, 'Hei'],
        [1000, 2000, 'der'],
      ],
      '',
    ],
    [
      'without blank lines',
      `1\n${at(0)}\nHei\n2\n${at(1)}\nder\n`,
      [
        [0, 1000, 'Hei'],
        [1000, 2000, 'der'],
      ],
      '',
    ],
    [
      'numbers written otherwise',
      `#1\n${at(0)}\nHei\n\n2.\n${at(1)}\nder`,
      [
        [0, 1000, 'Hei'],
        [1000, 2000, 'der'],
      ],
      '',
    ],
    [
      'numbers as text',
      `1\n${at(0)}\n42\n\n2\n${at(1)}\nTallet er\n1814\n\n${at(2)}\n7`,
      [
        [0, 1000, '42'],
        [1000, 2000, 'Tallet er\n1814'],
        [2000, 3000, '7'],
      ],
      '',
    ],
    ['text behind the times', `1\n${at(0)} Hei du\nder`, [[0, 1000, 'Hei du\nder']], ''],
    [
      'NOTE is a word',
      `1\n${at(0)}\nNOTE\nNOTE: viktig\n\nNOTES\n\n2\n${at(1)}\nNOTE`,
      [
        [0, 1000, 'NOTE\nNOTE: viktig\n\nNOTES'],
        [1000, 2000, 'NOTE'],
      ],
      '',
    ],
    ['the sign that guards it', `1\n${at(0)}\na\n\ue000NOTE\nNOTE\n\ue000`, [[0, 1000, 'a\n\ue000NOTE\nNOTE\n\ue000']], ''],
    ['times as text', `1\n${at(0)} ${at(1)}\nHei`, [[0, 1000, `${at(1)}\nHei`]], ''],
    ['something before the first cue', `Undertekster fra i går\n\n1\n${at(0)}\nHei`, [[0, 1000, 'Hei']], 'before_first_cue'],
    [
      'without text at the end',
      `1\n${at(0)}\nHei\n\n2\n${at(1)}\n`,
      [
        [0, 1000, 'Hei'],
        [1000, 2000, ''],
      ],
      '',
    ],
  ])('%s', (_name, text, cues, notes) => {
    expect(read(text)).toEqual([cues, notes])
    expect(read(text.replaceAll('\n', '\r\n'))).toEqual([cues, notes])
    expect(read(text.replaceAll('\n', '\r'))).toEqual([cues, notes])
    expect(read(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual([cues, notes])
  })

  test.each(['2', '2\n', `2\n${at(1).slice(0, -5)}`, `2\n${at(1).slice(0, 15)}`, `2\n${at(1).slice(0, 12)}`, at(1).slice(0, 20)])(
    'broken off in %j: what was there before is whole',
    (rest) => {
      expect(read(`1\n${at(0)}\nHei\n\n${rest}`)).toEqual([[[0, 1000, 'Hei']], 'cut_off'])
    },
  )

  test('broken off behind the times', () => {
    expect(read(`1\n${at(0)}\nHei\n\n2\n${at(1)}`)).toEqual([
      [
        [0, 1000, 'Hei'],
        [1000, 2000, ''],
      ],
      'cut_off',
    ])
  })

  test('times that cannot be read are left in the text, and told', () => {
    const { segments } = parseSubtitles(`1\n${at(0)}\nHei\n\n2\n00:00:01,000 --> 00:xx:02,000\nder\n`)
    expect(segments).toEqual([
      expect.objectContaining({ text: 'Hei\n\n2\n00:00:01,000 --> 00:xx:02,000\nder', suspect: ['stray_time'], raw: { timing: at(0) } }),
    ])
  })

  test('odd times, and those beyond all, are told with how they were written', () => {
    const { segments } = parseSubtitles('1\n00:00:00,5 --> 00:00:01,500\nHei\n\n2\n-00:00:01,000 --> 999999999:00:00,000\nder')
    expect(segments).toMatchObject([
      { startMs: 500, endMs: 1500, suspect: ['odd_time'], raw: { timing: '00:00:00,5 --> 00:00:01,500' } },
      { startMs: 0, endMs: 2_147_483_647, suspect: ['out_of_range'] },
    ])
  })
})

describe('VTT', () => {
  test('head, comments, styles, names of cues and settings are no text', () => {
    const text = [
      'WEBVTT - tittel\nKind: captions',
      'STYLE\n::cue { color: red }',
      'REGION\nid:fred',
      'NOTE laget av noen\n\n1\n00:00.000 --> 00:01.000 align:start line:0%\n<v Eva>Hei &amp; <i>hå</i>',
      'intro\n00:01.000 --> 00:02.000\n2\nNOTE er et ord her',
      'NOTE slutt\nog mer',
      '00:02.000 --> 00:03.000\nder',
    ].join('\n\n')
    const { segments, format, notes } = parseSubtitles(text)
    expect({ format, notes }).toEqual({ format: 'vtt', notes: ['comments'] })
    expect(segments.map(({ text: words, speaker }) => [words, speaker])).toEqual([
      ['Hei & hå', 'Eva'],
      ['2\nNOTE er et ord her', null],
      ['der', null],
    ])
    expect(segments[0]?.raw).toEqual({ timing: '00:00.000 --> 00:01.000 align:start line:0%', text: '<v Eva>Hei &amp; <i>hå</i>' })
  })

  test.each(['WEBVTT', '\ufeffWEBVTT\n\n', 'WEBVTT\n\nNOTE ingenting\n'])('nothing was said: %j', (text) => {
    expect(parseSubtitles(text)).toMatchObject({ format: 'vtt', segments: [] })
  })
})

describe('what is none', () => {
  test.each(['', '\n \t\r\n', '\ufeff'])('nothing at all has no cues: %j', (text) => {
    expect(parseSubtitles(text).segments).toEqual([])
  })

  test.each([
    ['<html><body>502 Bad Gateway</body></html>', 'a page of HTML'],
    ['{"text":"Hei"}', 'JSON'],
    ['Not Found', 'a text'],
    ['1\n\n2\n', 'a text'],
    ['WEBVTT\n\nHei', 'a text'],
    [`${' '.repeat(2000)}Hei`, 'a text'],
  ])('is a permanent failure: %j', (text, words) => {
    expect(() => parseSubtitles(text)).toThrow(expect.objectContaining({ kind: 'permanent', code: 'SUBTITLES_INVALID' }))
    expect(() => parseSubtitles(text)).toThrow(words)
  })
})

// Seconds on a machine with much else to do; for ever, if one of them were not linear.
describe('size', { timeout: 60_000 }, () => {
  test('100,000 cues are read; more than 200,000 are a permanent failure', () => {
    const cues = (count: number) => `${at(0)}\nHei\n\n`.repeat(count)
    expect(parseSubtitles(cues(100_000)).segments).toHaveLength(100_000)
    expect(() => parseSubtitles(cues(200_001))).toThrow(expect.objectContaining({ kind: 'permanent', code: 'SUBTITLES_TOO_LARGE' }))
  })

  test('more than 16 MiB are a permanent failure, as bytes and as text', () => {
    const size = 16 * 1024 * 1024 + 1
    for (const source of [new Uint8Array(size), ' '.repeat(size)]) {
      expect(() => parseSubtitles(source)).toThrow(expect.objectContaining({ kind: 'permanent', code: 'SUBTITLES_TOO_LARGE' }))
    }
  })

  const head = `1\n${at(0)}\n`
  test.each([
    ['blank lines', `${head}Hei${'\n'.repeat(10_000_000)}du`],
    ['lines of blanks', `${head}Hei${' \n'.repeat(4_000_000)}du`],
    ['one line', `${head}${'Hei '.repeat(2_500_000)}`],
    ['a line of blanks', `${head}${' '.repeat(10_000_000)}Hei`],
    ['digits', `${head}${'1'.repeat(10_000_000)}`],
    ['numbers', `${head}Hei\n${'1\n'.repeat(4_000_000)}`],
    ['colons', `${head}${'a:'.repeat(5_000_000)}\n${at(1)} ${'a:b '.repeat(1_000_000)}!`],
    ['marks', `${head}${'<a'.repeat(2_000_000)}`],
    ['beginnings of times', `${head}${'00:00:00,000 --> '.repeat(500_000)}`],
    ['signs of comments', `WEBVTT\n\n${'NOTE\n'.repeat(1_000_000)}\n${at(0)}\nHei`],
  ])('10 MB of %s end', (_name, text) => {
    expect(parseSubtitles(text).segments.length).toBeGreaterThan(0)
  })
})

describe('whatever comes', () => {
  const word = fc.stringMatching(/^[a-zæøå]{1,6}$/)
  const line = fc.oneof(
    { weight: 4, arbitrary: word },
    {
      weight: 3,
      arbitrary: fc.constantFrom('', ' ', '1', '2', '3', '42', '#4', 'NOTE', 'STYLE', 'WEBVTT', '-->', '<i>', '12:30', '00:00:01,000'),
    },
    { weight: 2, arbitrary: fc.constantFrom(at(0), at(1), '00:00:01.5-->00:00:02', '0:0:1,0 -> 0:0:2,0', '00:01 --> 00:02 align:start') },
  )

  test('is read or refused for good, and nothing else is thrown', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(line).map((lines) => lines.join('\n')),
          fc.uint8Array(),
        ),
        (source) => {
          try {
            parseSubtitles(source)
          } catch (error) {
            expect(error).toMatchObject({ kind: 'permanent', code: 'SUBTITLES_INVALID' })
          }
        },
      ),
    )
  })

  test('no word is lost from the first cue on, and none changes its place', () => {
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = ['1', at(0), ...lines].join('\n')
        const words = (of: string) => of.match(/\b[a-zæøå]+/g)?.filter((each) => !/^(i|align|start)$/.test(each)) ?? []
        const found = parseSubtitles(text).segments.map((segment) => segment.text)
        expect(words(found.join('\n'))).toEqual(words(lines.join('\n')))
      }),
    )
  })
})
