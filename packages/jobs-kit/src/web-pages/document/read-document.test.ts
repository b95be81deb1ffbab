import { describe, expect, test } from 'vitest'
import { parsePage } from './dom.ts'
import { readPublishedAt } from './published-at.ts'
import { readDocument } from './read-document.ts'
import { textOf } from './text-of.ts'

const read = (html: string) => readDocument({ bytes: Buffer.from(html), headerCharset: 'utf-8' })
const text = (body: string, bounds = { maxCharacters: 1_000, countRest: true }) => textOf(parsePage(`<body>${body}</body>`).body, bounds)

describe('text', () => {
  test.each([
    ['<p>En  <b>to</b>\n tre</p><p>fire</p>', 'En to tre\n\nfire'],
    ['<div><div>a</div>b<br>c</div>', 'a\n\nb\nc'],
    ['<ul><li>a</li><li>b <i>c</i></li></ul>d', 'a\nb c\n\nd'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>', 'a b\nc'],
    ['a<script>x()</script><style>y{}</style><!-- z --><noscript>n</noscript><template>t</template>b', 'ab'],
    ['<p>a&nbsp;b &lt;b&gt; &aring;</p>', 'a b <b> å'],
    ['<span>a </span><span> b</span><span>c</span>', 'a bc'],
    ['', ''],
  ])('of %s', (body, expected) => expect(text(body).text).toBe(expected))

  test('is cut, and the rest counted', () => {
    expect(text('<p>abc</p><p>def</p>', { maxCharacters: 6, countRest: true })).toEqual({ text: 'abc\n\nd', cutCharacters: 2 })
    expect(text('<p>abc</p><p>def</p>', { maxCharacters: 2, countRest: false })).toEqual({ text: 'ab', cutCharacters: 1 })
    expect(text('<p>a😀</p>', { maxCharacters: 2, countRest: true }).text).toBe('a\ufffd')
  })

  test('of a depth that no recursion bears is read', () => {
    expect(text(`${'<i>'.repeat(3_000)}dypt${'</i>'.repeat(3_000)}<b>x</b>`).text).toBe('dyptx')
  })
})

describe('a page', () => {
  const paragraphs = '<p>Kommunen har bygd ny kai i Sørvågen, og fiskerne er fornøyde med dybden, strømmen og lyset der ute.</p>'.repeat(8)

  test('is read without its menus, with what it says of itself', () => {
    const found = read(`<!doctype html><html lang="nn-NO"><head><title>Kai | Avisa</title>
      <meta property="og:title" content="Ny kai"><meta property="og:site_name" content="Avisa"><meta name="author" content="Turid Enoksen">
      <meta property="article:published_time" content="2026-11-30T08:00:00+0100"><meta name="description" content="Om  kaia&#10;der">
      <link rel="shortlink canonical" href="/nyheter/kai"><meta name="robots" content="max-snippet:-1, NoAI, noimageai"><meta name="tdm-reservation" content="1">
      </head><body><nav><a>Meny</a></nav><article><h1>Ny kai i Sørvågen</h1>${paragraphs}</article><footer>Om oss</footer></body></html>`)
    expect(found).toMatchObject({
      ...{
        title: 'Ny kai',
        siteName: 'Avisa',
        author: 'Turid Enoksen',
        publishedAt: '2026-11-30T07:00:00.000Z',
        description: 'Om kaia der',
        language: 'nn-no',
      },
      ...{ canonical: '/nyheter/kai', isFree: null, noai: true, tdmReserved: true, heading: 'Ny kai i Sørvågen', cutCharacters: 0 },
    })
    expect(found.text).toMatch(/^Ny kai i Sørvågen\n\nKommunen har bygd ny kai(.|\n)*der ute\.$/)
    expect(found.text).not.toMatch(/Meny|Om oss/)
    expect(found.front).toMatch(/^Meny\n\nNy kai/)
  })

  test('says by JSON-LD what it does not say otherwise; what is no JSON says nothing', () => {
    const data = {
      '@graph': [
        { '@type': 'WebSite', name: 'Feil', author: 'Feil' },
        ...[
          {
            '@type': ['Thing', 'NewsArticle'],
            headline: 'Ny kai',
            author: [{ name: 'Turid' }, 'Odd'],
            datePublished: '2026-11-30',
            publisher: { name: 'Avisa' },
          },
        ],
      ],
    }
    const scripts = ['{', 'null', '[1]', '{"@type":{"a":1}}', JSON.stringify(data)].map(
      (json) => `<script type="application/ld+json">${json}</script>`,
    )
    expect(read(`<html><head>${scripts.join('')}</head><body>${paragraphs}</body></html>`)).toMatchObject({
      ...{ title: 'Ny kai', author: 'Turid, Odd', publishedAt: '2026-11-30', siteName: 'Avisa', isFree: null },
    })
  })

  test('without the elements that may be left out is read, too', () => {
    expect(read(`<!doctype html><title>Kai</title>${paragraphs}`)).toMatchObject({ title: 'Kai', text: expect.stringMatching(/^Kommunen/) })
    expect(read(`<html lang=nb><head><title>Kai</title></head>${paragraphs}`)).toMatchObject({
      title: 'Kai',
      language: 'nb',
      text: expect.stringMatching(/^Kommunen/),
    })
    expect(read(`<body>${paragraphs}`).text).toMatch(/^Kommunen/)
    expect(read('bare tekst')).toMatchObject({ text: 'bare tekst', title: null })
    expect(read('')).toMatchObject({ text: '', title: null, emptyRoot: false })
  })

  test('is read without a request for consent, and with an article about one', () => {
    const banner = '<div id="CookieBar"><p>Vi bruker informasjonskapsler.</p><p>Godta alle</p></div>'
    expect(read(`<body class="cookies">${banner}<article class="consent">${paragraphs} Om cookies.</article></body>`)).toMatchObject({
      ...{ text: expect.stringMatching(/^Kommunen(.|\n)*Om cookies\.$/), front: expect.stringMatching(/^Vi bruker/) },
    })
    expect(read(`<body><div class="cookie-oppskrift">${paragraphs}</div></body>`).text).toMatch(/^Kommunen/)
  })

  test('whose values are long or many is read in bounds', () => {
    const long = 'x'.repeat(100_000)
    const found = read(
      `<html lang="${long}"><head><title>${long}</title>${`<meta name="a${long}" content="${long}">`.repeat(3)}</head><body><h1>${long}</h1></body></html>`,
    )
    expect([found.title?.length, found.heading?.length, found.language]).toEqual([300, 300, null])
  })
})

test.each([
  ['2026-11-30', '2026-11-30'],
  ['2026-11-30T08:00:00+01:00', '2026-11-30T07:00:00.000Z'],
  ['2026-11-30 08:00 +0100', '2026-11-30T07:00:00.000Z'],
  ['2026-11-30T08:00:00Z', '2026-11-30T08:00:00.000Z'],
  ['2026-11-30T08:00:00', '2026-11-30'],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['0001-01-01', null],
  ['9999-01-01', null],
  ['30. november 2026', null],
  ['', null],
  [null, null],
])('published at %j is %j', (said, at) => expect(readPublishedAt(said)).toBe(at))

describe('what looks like the frame of a page and is none', () => {
  const body = `<p>${'Kommunen har bygd ny kai i Sørvågen. '.repeat(10)}</p>`
  test.each([
    ['in a comment', `<!-- <html> <body> -->${body}`],
    ['in a program', `<html><head><script>var frame = "<body>"</script></head>${body}`],
    ['in a style', `<style>/* <html><body> */</style>${body}`],
  ])('%s keeps no text from being read', (_, html) => {
    expect(readDocument({ bytes: Buffer.from(html), headerCharset: 'utf-8' }).text).toContain('ny kai i Sørvågen')
  })
})

test('a page of which the parser makes nothing is read as one without text', () => {
  expect(readDocument({ bytes: Buffer.from('<a href="<![CDATA[<body><html>'), headerCharset: 'utf-8' })).toMatchObject({
    text: '',
    title: null,
  })
})
