import { describe, expect, test } from 'vitest'
import { mentions } from './candidates.ts'
import { readData } from './data.ts'
import { namesIn } from './names.ts'
import { readPassages } from './passages.ts'
import { bestSentences, rankSentences } from './sentences.ts'
import { readSource } from './source.ts'
import { asTitle, cleanWhole } from './texts.ts'
import { languageOf, shorten } from './words.ts'

const sentencesOf = (text: string) => rankSentences([{ n: 1, text }]).map((sentence) => sentence.text)

describe('the demo model’s work on text', () => {
  test.each([
    ['Hei. Hva nå? Jo!', ['Hei.', 'Hva nå?', 'Jo!']],
    ['Den 12. Mai kl. 14 kom S. Berg. Så gikk han.', ['Den 12. Mai kl. 14 kom S. Berg.', 'Så gikk han.']],
    ['Han sa: «Nei.» Da gikk vi.', ['Han sa: «Nei.»', 'Da gikk vi.']],
    ['uten noe tegn', ['uten noe tegn']],
    ['Samferdsel\nNattbussen må kjøre\nhele året.\nVi er for.', ['Samferdsel', 'Nattbussen må kjøre\nhele året.', 'Vi er for.']],
    ['... –', []],
  ])('sentences of %j', (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected)
  })

  test.each([
    ['Hvis vi venter til våren, blir det nok 15 000 kroner dyrere, for da må bjelkene byttes også.', /^Hvis vi venter til våren, blir det/],
    ['Taket på låven er verre enn vi trodde, for bjelkene under er råtne helt inn til veggen.', /^Taket på låven er verre enn vi trodde$/],
  ])('the title of %j', (text, title) => expect(asTitle({ text })).toMatch(title))

  test('the best sentences say what the others say too, each once, in their order', () => {
    const text = 'Bussen til byen går i dag. Katten sov. Bussen til byen er full i dag. Katten sov. Bussen til byen er sen i dag.'
    expect(bestSentences(rankSentences([{ n: 1, text }]), 3).map(({ index }) => index)).toEqual([0, 2, 4])
    expect(bestSentences(rankSentences([{ n: 1, text }]), 9)).toHaveLength(4)
  })

  test.each([
    ['Hva er det som skjer med vegen?', 'nb'],
    ['Kva er det som skjer med vegen?', 'nn'],
    ['What is going on with the road?', 'en'],
    ['Støy', 'nb'],
  ])('language of %j', (text, language) => {
    expect(languageOf(text)).toBe(language)
  })

  test.each([
    ['I dag møter vi Åse Bø-Hansen og Jan van der Berg.', ['Åse Bø-Hansen']],
    ['Og Kari Nordmann kom.', ['Kari Nordmann']],
    ['Mayor John Smith’s bridge', ['John Smith']],
    ['Kari skal ringe', ['Kari']],
    ['ingen her', []],
  ])('names in %j', (text, expected) => {
    expect(namesIn(text)).toEqual(expected)
  })

  test.each([
    ['Støyen er verst', 'støy', true],
    ['Om BERGENS gater', 'Bergen', true],
    ['støyende naboer', 'støy', false],
    ['Kari  Nordmann sa', 'Kari Nordmann', true],
    ['a+b', 'a+b', true],
    ['aab', 'a+b', false],
  ])('%j mentions %j: %s', (text, name, expected) => {
    expect(mentions(text, name)).toBe(expected)
  })

  test('cut between words, and always the beginning', () => {
    expect(shorten('en to tre fire', 9)).toBe('en to tre')
    expect(shorten('en to tre fire', 11)).toBe('en to tre')
    expect(shorten('kort', 9)).toBe('kort')
    expect(shorten('x'.repeat(20), 9)).toBe('x'.repeat(9))
  })

  test('tidied: fillers and doubled small words go, nothing else', () => {
    expect(cleanWhole(readSource({ text: 'eh det det er er, øhm, 22 22 og New New York , ja' }))).toBe('Det er, 22 22 og New New York, ja.')
  })

  test('data between the markers, of the first message that has some', () => {
    const marker = '=====DATA 00ff====='
    const content = `Her:\n${marker}\n${JSON.stringify({ text: `x\n${marker}\ny` })}\n${marker}`
    const messages = [
      { role: 'system' as const, content: marker },
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: '{}' },
      { role: 'user' as const, content: 'The answer does not fit the schema.' },
    ]
    expect(readData(messages)).toEqual({ text: `x\n${marker}\ny` })
    expect(readData([{ role: 'user', content: 'bare ord' }])).toEqual({ text: 'bare ord' })
  })

  test('passages: segments by their numbers, text by paragraphs, else all text with the number beside it', () => {
    expect(readPassages({ segments: [{ n: 4, text: 'a' }, { n: 5, text: ' ' }, { text: 'c' }], text: 'x' })).toEqual([
      { n: 4, text: 'a' },
      { n: 3, text: 'c' },
    ])
    expect(readPassages({ text: 'a\nb\n\nc' }).map(({ text }) => text)).toEqual(['a\nb', 'c'])
    const partials = [{ quotes: [{ segment: 9, text: 'q' }], topics: [{ name: 'no' }], language: 'nb' }]
    expect(readPassages({ partials, candidates: [{ ref: 'T1', name: 'no' }] })).toEqual([{ n: 9, text: 'q' }])
  })
})
