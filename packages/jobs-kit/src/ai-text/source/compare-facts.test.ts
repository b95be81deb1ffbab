import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareFacts } from './compare-facts.ts'

const none = { lostNumbers: [], newNumbers: [], lostNames: [], newNames: [] }

describe('compareFacts', () => {
  test.each([
    ['the same', 'Vi møtte Kari i Bodø 17. mai.', 'Vi møtte Kari i Bodø 17. mai.'],
    ['another order and other words', 'så møtte vi Ola da, og eh 3 andre, i 2019', 'I 2019 møtte vi 3 andre og Ola.'],
    ['numbers written otherwise', '10 000 kroner, 3,5 prosent, kl. 12:30', '10.000 kroner, 3.5 prosent, kl. 12.30, altså 10000'],
    ['small numbers in words', 'vi var tre i 4 dagar, og sju kom', 'Vi var 3 i fire dagar. 7 kom.'],
    ['a genitive', 'huset til Kari og Anders', 'Det er Karis og Anders’ hus.'],
    ['a name that begins a sentence', 'der kom Åse', 'Åse kom.'],
    ['a name that was small', 'Jeg bor i oslo.', 'Jeg bor i Oslo.'],
    ['two ways to write å', 'her er A\u030ase', 'her er Åse'],
    ['words that begin a sentence', 'Hei. Nå begynner vi. – Ja!', 'Vi starter.'],
    ['nothing', '', ''],
  ])('no change: %s', (_name, before, after) => expect(compareFacts(before, after)).toEqual(none))

  test.each<[string, string, string, Partial<typeof none> | object]>([
    ['a number lost', 'i 1814 og 1905', 'i 1814', { lostNumbers: ['1905'] }],
    ['a number new', 'for lenge siden', 'for 200 år siden', { newNumbers: ['200'] }],
    ['a number changed', 'det kostet 1 500 kroner', 'det kostet 15 000 kroner', { lostNumbers: ['1500'], newNumbers: ['15000'] }],
    ['a decimal changed', '3,5 prosent', '35 prosent', { lostNumbers: ['3.5'], newNumbers: ['35'] }],
    ['a name lost', 'jeg og Kari Nordmann', 'jeg og Kari', { lostNames: ['Nordmann'] }],
    ['a name new', 'vi møtte ordføreren', 'vi møtte ordføreren, Per', { newNames: ['Per'] }],
    ['a name changed', 'vi møtte Lars', 'vi møtte Jens', { lostNames: ['Lars'], newNames: ['Jens'] }],
    ['each once', 'både Ola, Olas og Ola, 7, 77 og 77', 'ingen', { lostNames: ['Ola'], lostNumbers: ['7', '77'] }],
  ])('%s', (_name, before, after, changes) => expect(compareFacts(before, after)).toEqual({ ...none, ...changes }))

  test('names that are known are looked for wherever they stand', () => {
    expect(compareFacts('Maren sa nei.', 'Hun sa nei.', ['Maren Aas', 'Per'])).toEqual({ ...none, lostNames: ['Maren'] })
    expect(compareFacts('hun sa nei', 'Maren sa nei', ['Maren Aas'])).toEqual({ ...none, newNames: ['Maren'] })
  })

  test('of itself a text loses nothing, and the other way round lost is new', () => {
    const text = fc
      .array(fc.constantFrom('Kari', 'Lars', 'og', '3', '10 000', '3,5', '.', 'tre', 'Åses', '\ud800', '–'), { maxLength: 12 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(compareFacts(before, before)).toEqual(none)
        const [there, back] = [compareFacts(before, after), compareFacts(after, before)]
        expect([back.lostNames, back.lostNumbers]).toEqual([there.newNames, there.newNumbers])
      }),
    )
  })

  test.each(['1', '1 000 ', '1.', 'A', "A'", 'Ab ', 'a s', '«', '\u0301', '1:'])(
    'a megabyte of %j takes seconds at most',
    { timeout: 20_000 },
    (piece) => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      expect(compareFacts(text, text)).toEqual(none)
    },
  )
})
