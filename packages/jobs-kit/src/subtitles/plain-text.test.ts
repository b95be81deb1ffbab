import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPlainText } from './plain-text.ts'

describe('toPlainText', () => {
  test.each([
    ['<i>Hei</i> {\\an8}<b>du</b> & <script>alert(1)</script>', 'Hei du & alert(1)'],
    ['<font color="#ff0000">rød</font>{y:i}', 'rød'],
    ['<00:00:01.000>ett <c.yellow>to</c>', 'ett to'],
    ['<scr<i>ipt>alert(1)</scr</i>ipt>', 'alert(1)'],
    ['2 < 3 og 3 > 2, <3 og {ord} {}', '2 < 3 og 3 > 2, <3 og {ord} {}'],
    ['&amp;lt; står det', '&amp;lt; står det'],
  ])('takes marks out of SRT, and nothing else: %j', (marked, text) => {
    expect(toPlainText(marked, 'srt')).toEqual({ text, speaker: null })
  })

  test.each([
    ['Tom &amp; Jerry &lt;i&gt; &nbsp;&#229;&#xE5;', 'Tom & Jerry <i> \u00a0åå'],
    ['&amp;lt; &ukjent; &#0; &#x110000; &', '&lt; &ukjent; &#0; &#x110000; &'],
  ])('reads the entities of VTT, once: %j', (marked, text) => {
    expect(toPlainText(marked, 'vtt')).toEqual({ text, speaker: null })
  })

  test.each([
    ['<v Eva>Hei', 'Hei', 'Eva'],
    ['<v.loud Eva &amp; Ola>Hei</v>', 'Hei', 'Eva & Ola'],
    ['<v Eva>Hei</v> <v Eva>du</v>', 'Hei du', 'Eva'],
    ['<v Eva>Hei</v>\n<v Ola>Hallo</v>', 'Eva: Hei\nOla: Hallo', null],
    ['[SPEAKER_00]: Hei', 'Hei', 'SPEAKER_00'],
    [' [Eva Å.]: Hei', 'Hei', 'Eva Å.'],
    ['[musikk]', '[musikk]', null],
    ['sa [Eva]: Hei', 'sa [Eva]: Hei', null],
    ['[ ]: Hei', 'Hei', null],
  ])('finds who speaks: %j', (marked, text, speaker) => {
    expect(toPlainText(marked, 'vtt')).toEqual({ text, speaker })
  })

  test('leaves no mark of SRT, however they are put into each other', () => {
    const part = fc.constantFrom('<', '>', '/', 'i', 'script', 'v ', '{', '}', '\\an8', '0:0', 'å')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(toPlainText(parts.join(''), 'srt').text).not.toMatch(/<\/?[a-z][^<>]*>|\{\\[^{}]*\}/i)
      }),
    )
  })

  test.each([
    ['an unclosed mark', `<v ${' '.repeat(2_000_000)}`],
    ['many of them', '<v a'.repeat(500_000)],
    ['marks in marks', `${'<i'.repeat(300_000)}${'>'.repeat(300_000)}`],
    ['braces', '{\\'.repeat(500_000)],
    ['ampersands', '&#'.repeat(500_000)],
  ])('takes no longer for what is hostile: %s', { timeout: 60_000 }, (_name, marked) => {
    expect(toPlainText(marked, 'vtt').text.length).toBeGreaterThan(0)
  })
})
