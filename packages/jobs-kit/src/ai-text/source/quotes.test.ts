import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findQuote, isQuote, quoteOccurs, quoteStandsAt } from './quotes.ts'

const source = `Ordføreren sa at «støyen – den må vi gjøre noe med», og la til:
Vi har brukt 3,5 millioner. Det er ikke lov\u00adlig.\u00a0Åse og Ærlend er enige … "Ja", sa de. Mellom -5 og 10 grader.`

describe('quoteOccurs', () => {
  test.each([
    'støyen – den må vi gjøre noe med',
    'STØYEN - DEN MÅ VI',
    '"støyen — den må vi gjøre noe med"',
    '«Støyen – den må vi gjøre noe med.»',
    '… og la til: Vi har brukt 3,5 millioner …',
    'og  la\ttil:\nvi har',
    'ikke lovlig. åse',
    'A\u030ase og ærlend er enige',
    '’Ja’, sa de',
    '“Ja”, sa de',
    '-5 og 10 grader',
    'Ordføreren',
  ])('said: %s', (quote) => expect(quoteOccurs(quote, source)).toBe(true))

  test.each([
    ['other words', 'støyen må vi gjøre noe med'],
    ['words left out', 'Ordføreren sa at … og la til'],
    ['another order', 'noe med gjøre vi'],
    ['within a word at its end', 'det er ikke lov'],
    ['within a word at its beginning', 'føreren sa'],
    ['within a number', '5 millioner'],
    ['within a number at its end', 'vi har brukt 3'],
    ['o for ø', 'stoyen'],
    ['ae for æ', 'Aerlend'],
    ['aa for å', 'Aase'],
    ['another number', 'Vi har brukt 3.5 millioner'],
    ['nothing', ''],
    ['no words', '… – «»'],
  ])('not said: %s', (_name, quote) => expect(quoteOccurs(quote, source)).toBe(false))

  test.each([
    ['240 000 kroner', true],
    ['000 kroner til', false],
    ['med 240', false],
    ['med 1 240 000 kroner', false],
    ['i 2019 240 personer', true],
    ['240 personer', true],
  ])('a number with blanks is one: %s', (quote, isSaid) => {
    expect(quoteOccurs(quote, 'vedtatt med 240 000 kroner til årer i 2019 240 personer')).toBe(isSaid)
  })

  test('three words are a quote', () => {
    expect(['ja', 'er det', '«å» –', 'vi sa ja'].map(isQuote)).toEqual([false, false, false, true])
  })

  test('a minus is not an ornament', () => {
    expect(quoteOccurs('5 og 10 grader', source)).toBe(false)
    expect(quoteOccurs('-10 grader', source)).toBe(false)
    expect(quoteOccurs('- Vi har brukt', 'Vi har brukt')).toBe(true)
  })

  test('what a text says between blanks is found, in any case and with other blanks', () => {
    const word = fc.stringMatching(/^[a-zæøå]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.nat(), fc.nat(), (words, a, b) => {
        const [from, to] = [a % words.length, b % words.length].sort((x, y) => x - y) as [number, number]
        const quote = words.slice(from, to + 1).join(' \n ')
        expect(quoteOccurs(quote.toUpperCase(), words.join(' '))).toBe(true)
        expect(quoteOccurs(`${quote} zz`, words.join(' '))).toBe(false)
      }),
    )
  })

  test('it bears whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (quote, text) => {
        expect(typeof quoteOccurs(quote, text)).toBe('boolean')
      }),
    )
    expect(quoteOccurs('😀 hei', 'a 😀 hei')).toBe(true)
    expect(quoteOccurs('𝒳𝒴', '𝒵𝒳𝒴')).toBe(false)
  })

  test('a quote of 2,000 characters is one, a longer one is not', () => {
    const long = 'ord '.repeat(500).trim()
    expect(quoteOccurs(long, `${long} ord`)).toBe(true)
    expect(quoteOccurs(`${long} ord ord`, `${long} ord ord`)).toBe(false)
  })

  test('a megabyte takes seconds at most', { timeout: 20_000 }, () => {
    const half = 'a'.repeat(999)
    expect(quoteOccurs(`${half}b${half}`, 'a'.repeat(1_000_000))).toBe(false)
    expect(quoteOccurs('a', 'a'.repeat(1_000_000))).toBe(false)
    expect(quoteOccurs('b', 'a '.repeat(500_000))).toBe(false)
    expect(quoteOccurs('"'.repeat(1_000_000), '"'.repeat(1_000_000))).toBe(false)
    expect(quoteOccurs('ja', `${' '.repeat(1_000_000)}ja`)).toBe(true)
    expect(quoteOccurs('ja', `${'\u0300'.repeat(100_000)} ja`)).toBe(true)
  })
})

describe('findQuote', () => {
  const texts = ['Hei og velkommen.', 'I dag snakker vi om', '', 'støy i byen.', 'Hei og hallo. Hei og', 'velkommen igjen.']

  test.each([
    ['snakker vi om støy', [1]],
    ['støy', [3]],
    ['Hei og', [0, 4]],
    ['Hei og velkommen', [0, 4]],
    ['velkommen. I dag', [0]],
    ['byen. Hei', [3]],
    ['farvel', []],
  ])('%s', (quote, indexes) => expect(findQuote(quote, texts)).toEqual(indexes))

  test('no more than ten', () => {
    expect(
      findQuote(
        'ja',
        Array.from({ length: 50 }, () => 'ja ja'),
      ),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(findQuote('ja', [])).toEqual([])
  })
})

test('a quote stands at a text that it is in, begins in or ends in, and at no other', () => {
  const texts = ['Vi vedtok budsjettet', 'med stort flertall.', 'Så var det taket.', 'Det lekker.']
  const places = (quote: string) => [-1, 0, 1, 2, 3, 4].filter((index) => quoteStandsAt(quote, texts, index))
  expect(places('vedtok budsjettet')).toEqual([0])
  expect(places('med stort')).toEqual([1])
  expect(places('flertall. Så var')).toEqual([1, 2])
  expect(places('budsjettet med stort flertall')).toEqual([0, 1])
  expect(places('vi vedtok taket')).toEqual([])
})
