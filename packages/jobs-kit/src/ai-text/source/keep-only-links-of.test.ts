import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { injections } from '../../testing/injections.ts'
import { keepOnlyLinksOf } from './keep-only-links-of.ts'

const input = `Les https://www.nrk.no/saker/1?a=b, se [kartet](https://kart.example/x_(by)) og [siden](/om-oss).
Skriv til post@radio.example eller gå til radio.example/arkiv/.`

describe('keepOnlyLinksOf', () => {
  test.each([
    ['an address', 'Se https://www.nrk.no/saker/1?a=b.'],
    ['in brackets', '(https://www.nrk.no/saker/1?a=b)'],
    ['with another scheme and host in capitals', 'HTTP://WWW.NRK.NO/saker/1?a=b'],
    ['in Markdown', '[saken](https://www.nrk.no/saker/1?a=b) og [kartet](https://kart.example/x_(by))'],
    ['in Markdown with a title', '[saken](https://www.nrk.no/saker/1?a=b "Saken")'],
    ['pointed at', '<https://www.nrk.no/saker/1?a=b> og [saken](<https://www.nrk.no/saker/1?a=b>)'],
    ['within the site', '[om oss](/om-oss)'],
    ['by definition', '[1]: https://www.nrk.no/saker/1?a=b'],
    ['of a host without a scheme', 'radio.example/arkiv og https://radio.example/arkiv/'],
    ['to mail', 'post@radio.example og mailto:post@radio.example'],
  ])('keeps what was given: %s', (_name, text) => expect(keepOnlyLinksOf(text, input)).toBe(text))

  test.each([
    ['an address', 'Se https://vond.example/?q=1, og mer.', 'Se …, og mer.'],
    ['a longer address', 'https://www.nrk.no/saker/1?a=bc', '…'],
    ['another path in capitals', 'https://www.nrk.no/Saker/1?a=b', '…'],
    ['a name before the host', 'https://www.nrk.no@vond.example/saker/1?a=b', '…'],
    ['Markdown', 'Se [mer her](https://vond.example/x).', 'Se mer her.'],
    ['Markdown with brackets', '[a](https://vond.example/x_(y))', '[a] (…)'],
    ['Markdown with a title', '[a](/admin "b")', '[a] (/admin "b")'],
    ['Markdown on two lines', '[a](\n/admin)', '[a] (\n/admin)'],
    ['Markdown pointed at', '[a](</admin x>)', '[a] (</admin x>)'],
    ['a picture', '![alt](https://vond.example/p.gif?q=1)', 'alt'],
    ['a picture of a given address', '![alt](/om-oss)', '[alt](/om-oss)'],
    ['a picture in a link', '[![alt](https://vond.example/p.gif)](/admin)', '[alt] (/admin)'],
    ['a link within the site', '[slett](/admin/jobs?delete=1)', 'slett'],
    ['a definition', '[1]: /admin\n> [2]: javascript:alert(1)', '[1] : /admin\n> [2]: …'],
    ['a script', 'javascript:alert(1) og data:text/html,x', '… og …'],
    ['www', 'www.vond.example og WWW.vond.example', '… og …'],
    ['a host with a path', 'vond.example/logg-inn, vond.example:8080/', '…, …'],
    ['mail', 'Skriv til ola@vond.example.', 'Skriv til ….'],
    ['after a letter', 'åhttps://vond.example', 'å…'],
    ['tags', 'a <a href="https://vond.example">b</a> c <img src=x onerror="y()"> d', 'a  b  c   d'],
    ['a tag without end', '<img src=//vond.example/x', '< img src=//…'],
    ['a tag in a tag', '<a <b href=1> href=/admin>', '< a   href=/admin>'],
    ['a tag around a tag', '<a<b href=1> href=/admin>x', '< a  href=/admin>x'],
    ['a tag parted by a link', '<[i](/x)mg src=//vond.example>', '  '.trim() || ' '],
    ['a link parted by a tag', '[a]<i style=x>(/admin)', '[a] (/admin)'],
    ['a link in a link', '[a[x](/y)](/admin)', '[ax] (/admin)'],
  ])('takes out what was not: %s', (_name, text, out) => expect(keepOnlyLinksOf(text, input)).toBe(out))

  test.each([
    'Kl. 12:30 møtte Kari og/eller Ola opp. Se f.eks. side 3/4, 1.000.000 kr/år.',
    '[Eva]: Hei! Merk: dette er ikke noe. Tallene [1] og [2] (se under).',
    'a < b og c > d, x <y og z = 3, <b>fet</b>, nrk.no og Finn.no',
    'const a = b[i] // en kommentar',
  ])('leaves other words alone: %s', (text) => expect(keepOnlyLinksOf(text, '')).toBe(text))

  const given = 'https://given.example/a'
  const pieces = fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '](',
      '![',
      ' ',
      '\n',
      '"',
      '=',
      ':',
      '//',
      '/',
      'a',
      'img',
      'href',
      ' src=',
      'https:',
      'www.',
      'javascript:',
    ],
    ...[given, 'https://vond.example/x', 'vond.example/', '/admin', ']: ', '`', '\\', 'å', '\ud800'],
  )
  const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''))

  /** What a reader of Markdown or HTML follows, by rules of their own. */
  const followed = (text: string) => [
    ...Array.from(text.matchAll(/\]\(\s*<?([^\s()<>]+)/g), ([, target]) => target),
    ...Array.from(text.matchAll(/(?:https?:\/\/|(?<![\p{L}\p{N}])www\.)[^\s<>()[\]"`]+/giu), ([address]) =>
      address.replace(/[.:\\!]+$/, ''),
    ),
    ...Array.from(text.matchAll(/<[a-z/][^>]*?\b(?:href|src)=/gi), ([tag]) => tag),
    ...Array.from(text.matchAll(/!\[/g), ([sign]) => sign),
  ]

  test('whatever a text is made of, it leads nowhere else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const others = followed(keepOnlyLinksOf(text, given)).filter(
          (target) => target?.replace(/^https:\/\//, '').replace(/\/$/, '') !== 'given.example/a',
        )
        expect(others).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  test('what is left is left alone the next time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = keepOnlyLinksOf(text, given)
        expect(followed(keepOnlyLinksOf(once, given))).toEqual(followed(once))
      }),
    )
  })

  test('a text keeps its own links', () => {
    const address = fc.webUrl({ withQueryParameters: true, withFragments: true }).filter((url) => !/[()[\]'"`*_|\\]|[.,;:!?]$/.test(url))
    fc.assert(
      fc.property(address, (url) => {
        expect(keepOnlyLinksOf(`Se ${url} og [her](${url}).`, `Fra ${url} i dag`)).toBe(`Se ${url} og [her](${url}).`)
        expect(keepOnlyLinksOf(`Se ${url} her`, 'Ingen')).not.toContain('://')
      }),
    )
  })

  test.each(injections)('no link is left of $text', ({ text }) => {
    expect(followed(keepOnlyLinksOf(text, ''))).toEqual([])
  })

  test.each(['javascript:alert(1)', 'VBScript:x', '[x](javascript:alert(1))', '[1]: javascript:alert(1)'])(
    'keeps no script, also where the input has it: %s',
    (script) => {
      expect(keepOnlyLinksOf(script, script)).not.toMatch(/script:/i)
    },
  )

  test.each([
    '[',
    '](',
    '![a](',
    '<a ',
    '<a<',
    '<a href=',
    '<a href= <',
    'a.',
    'aa.aa/',
    'a@a.',
    'https://',
    'a',
    'å',
    '(',
    '[a](b(',
    '[a]: b/',
    '> ',
    '\n',
    ' ',
    ')',
    'www.',
    '\ud800',
  ])('a megabyte of %j takes seconds at most', { timeout: 20_000 }, (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(keepOnlyLinksOf(text, text).length).toBeGreaterThan(0)
  })
})
