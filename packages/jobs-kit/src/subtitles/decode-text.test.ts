import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const cue = '1\n00:00:00,000 --> 00:00:01,000\nKjære blåbær på øya, «ja» – €\n'

describe('decodeText', () => {
  test.each([
    ['utf-8', Buffer.from(cue)],
    ['utf-8', Buffer.from(`\ufeff${cue}`)],
    ['utf-16le', Buffer.from(`\ufeff${cue}`, 'utf16le')],
    ['utf-16be', utf16be(`\ufeff${cue}`)],
    ['utf-16le', Buffer.from(cue, 'utf16le')],
    ['utf-16be', utf16be(cue)],
  ])('reads %s, with and without a byte order mark', (encoding, bytes) => {
    expect(decodeText(bytes)).toEqual({ encoding, text: cue })
  })

  test('reads windows-1252, which includes latin-1', () => {
    const bytes = Buffer.concat([Buffer.from('Kj\xe6re bl\xe5 \xf8y ', 'latin1'), Buffer.of(0x80)])
    expect(decodeText(bytes)).toEqual({ encoding: 'windows-1252', text: 'Kjære blå øy €' })
  })

  test('UTF-8 in which a letter was cut in the middle stays UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('Kjære blå øy, bl'), Buffer.of(0xc3), Buffer.from('\nog så\n')])
    expect(decodeText(bytes)).toEqual({ encoding: 'utf-8', text: 'Kjære blå øy, bl\ufffd\nog så\n' })
  })

  test('a NUL within UTF-8 is a NUL, not half a letter', () => {
    expect(decodeText(Buffer.from('Hei\0der'))).toEqual({ encoding: 'utf-8', text: 'Hei\0der' })
    expect(decodeText(new Uint8Array())).toEqual({ encoding: 'utf-8', text: '' })
  })

  test('reads any bytes, and any text back as it was', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof decodeText(bytes).text === 'string'))
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeText(Buffer.from(`\ufeff${text}`)).text).toBe(text)
        expect(decodeText(Buffer.from(`\ufeff${text}`, 'utf16le')).text).toBe(text)
      }),
    )
  })
})
