import { expect, test } from 'vitest'
import { decodePage } from './page-charset.ts'
import { decodeWindows1252 } from './windows-1252.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf8 = (text: string) => Buffer.from(text, 'utf8')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test('windows-1252 has quotes, dashes and euros where ISO-8859-1 has nothing to see', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const text = decodeWindows1252(bytes)
  expect(text).toHaveLength(256)
  expect(text.slice(0x80, 0xa0)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ')
  for (let code = 0; code < 256; code++) if (code < 0x80 || code > 0x9f) expect(text.charCodeAt(code)).toBe(code)
  expect(decodeWindows1252(bytes.subarray(0xe5, 0xe7))).toBe('åæ')
})

const meta = (charset: string) => `<meta charset="${charset}">`
test.each<[string, Uint8Array, string | undefined, string, string]>([
  ['a mark before a header', utf8('\ufeffblå'), 'iso-8859-1', 'utf-8', 'blå'],
  ['a mark before the page itself', utf8(`\ufeff${meta('iso-8859-1')}å`), undefined, 'utf-8', `${meta('iso-8859-1')}å`],
  ['a mark of UTF-16', utf16('\ufeffblå'), 'utf-8', 'utf-16le', 'blå'],
  ['a mark of UTF-16, the other way round', utf16('\ufeffblå').swap16(), undefined, 'utf-16be', 'blå'],
  ['a header before the page itself', latin(`${meta('utf-8')}å`), 'ISO-8859-1', 'windows-1252', `${meta('utf-8')}å`],
  ['a header that says UTF-8', utf8('å'), ' UTF-8 ', 'utf-8', 'å'],
  ['a header that nobody knows: the page', latin(`${meta('latin1')}å`), 'klingon', 'windows-1252', `${meta('latin1')}å`],
  ['a header that nobody knows, and nothing else', latin('bl\xe5'), 'x-klingon-8', 'windows-1252', 'blå'],
  ['the page itself', Buffer.from([...latin(meta('koi8-r')), 0xc1]), undefined, 'koi8-r', `${meta('koi8-r')}а`],
  [
    'the page, in the old way',
    latin('<META content="text/html; charset=iso-8859-15" http-equiv=content-type>\xa4'),
    '',
    'iso-8859-15',
    expect.stringMatching(/€$/),
  ],
  [
    'no description that speaks of one',
    latin('<meta name="description" content="Slik velger du charset=koi8-r"><meta charset=iso-8859-15>\xa4'),
    undefined,
    'iso-8859-15',
    expect.stringMatching(/€$/),
  ],
  ['no attribute that ends like one', latin('<meta data-charset="koi8-r">\xe5'), undefined, 'windows-1252', expect.stringMatching(/å$/)],
  ['XML', latin('<?xml version="1.0" encoding="iso-8859-2"?>\xb1'), undefined, 'iso-8859-2', expect.stringMatching(/ą$/)],
  ['no comment of the page', latin(`<!-- ${meta('koi8-r')} -->\xe5`), undefined, 'windows-1252', expect.stringMatching(/å$/)],
  ['no UTF-16 that can be read', utf8(`${meta('utf-16')}å`), undefined, 'utf-8', `${meta('utf-16')}å`],
  ['nothing: UTF-8', utf8('«Blåbær» – €'), undefined, 'utf-8', '«Blåbær» – €'],
  ['nothing: windows-1252', Buffer.from([0x93, 0x62, 0x6c, 0xe5, 0x94]), undefined, 'windows-1252', '“blå”'],
  ['nothing at all', Buffer.alloc(0), undefined, 'utf-8', ''],
])('what decides is %s', (_, bytes, header, charset, text) => {
  expect(decodePage(bytes, header)).toEqual({ charset, text })
})

test('a page that was made to take time takes none', () => {
  const started = performance.now()
  for (const part of ['<meta ', '<!--', '<?xml ', '<meta charset=']) decodePage(latin(part.repeat(1_000_000)))
  expect(performance.now() - started).toBeLessThan(5_000)
})
