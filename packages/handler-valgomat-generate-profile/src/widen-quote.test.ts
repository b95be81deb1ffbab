import { expect, test } from 'vitest'
import { sentencesOf, widenQuote } from './widen-quote.ts'

const page = `Samferdsel
Nattbussen må kjøre hele året. Vi vil ikke
innføre bompenger på veien over fjellet, f.eks. ved Nordvik bru, fra kl. 10. Vi sier nei til
Oslo som vertskap.

Dette går vi imot:

- gratis parkering i sentrum
- høyere eiendomsskatt

Næring
Vi vil ha mer fiske. Mer fiske ved kaia. Vi vil ha mer fiske nå.`
const widen = (quote: string, text = page) => widenQuote(quote, sentencesOf(text))

test.each([
  ['innføre bompenger', ['Vi vil ikke innføre bompenger på veien over fjellet, f.eks. ved Nordvik bru, fra kl. 10.']],
  ['Oslo som vertskap', ['Vi sier nei til Oslo som vertskap.']],
  ['høyere eiendomsskatt', ['Dette går vi imot: - gratis parkering i sentrum - høyere eiendomsskatt']],
  ['nattbussen må kjøre', ['Nattbussen må kjøre hele året.']],
  [
    'hele året. Vi vil',
    ['Nattbussen må kjøre hele året. Vi vil ikke innføre bompenger på veien over fjellet, f.eks. ved Nordvik bru, fra kl. 10.'],
  ],
  ['mer fiske', ['Vi vil ha mer fiske.', 'Mer fiske ved kaia.', 'Vi vil ha mer fiske nå.']],
  ['Vi vil ha kino', []],
])('%s', (quote, sentences) => expect(widen(quote)).toEqual(sentences))

test('of a text without an end the words around it', () => {
  const text = `vi vil ikke ${'ord '.repeat(400)}aldri innføre bompenger ${'ord '.repeat(400)}`
  expect(widen('innføre bompenger', text)).toEqual([`${'ord '.repeat(39)}aldri innføre bompenger${' ord'.repeat(40)}`])
})
