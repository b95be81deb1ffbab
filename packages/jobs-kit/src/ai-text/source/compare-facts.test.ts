import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareFacts, type FactOptions } from './compare-facts.ts'

const none = { lostNumbers: [], newNumbers: [], lostNames: [], newNames: [], lostDays: [], newDays: [], movedNumbers: [] }
/** Without the count of negations, which differs with the text. */
const compare = (before: string, after: string, options?: FactOptions) => {
  const { negations: _, ...facts } = compareFacts(before, after, options)
  return facts
}

describe('compareFacts', () => {
  test.each([
    ['the same', 'Vi møtte Kari i Bodø 17. mai.', 'Vi møtte Kari i Bodø 17. mai.'],
    ['another order and other words', 'så møtte vi Ola da, og eh 3 andre, i 2019', 'I 2019 møtte vi 3 andre og Ola.'],
    ['numbers written otherwise', '10 000 kroner, 3,5 prosent, kl. 12:30', '10.000 kroner, 3.5 prosent, kl. 12.30'],
    ['small numbers in words', 'vi var tre i 4 dagar, og sju kom', 'Vi var 3 i fire dagar. 7 kom.'],
    ['numbers in words', 'tjuefem, femogtjue og tjue fem kom, fem hundre og to gjekk', '25, 25 og 25 kom, 502 gjekk'],
    ['millions', '5 millioner og to hundre femti tusen og minus fem', '5 000 000, 250 000 og -5'],
    ['an article', 'han kjøpte en båt', 'Han kjøpte båt.'],
    ['what was said twice in a row', 'vi var i to to timer på fredag fredag', 'Vi var i to timer på fredag.'],
    ['a genitive', 'huset til Kari og Anders', 'Det er Karis og Anders’ hus.'],
    ['a name that begins a sentence', 'der kom Åse', 'Åse kom.'],
    ['a name that was small', 'Jeg bor i oslo.', 'Jeg bor i Oslo.'],
    ['two ways to write å', 'her er A\u030ase', 'her er Åse'],
    ['words that begin a sentence', 'Hei. Nå begynner vi. – Ja!', 'Vi starter.'],
    ['nothing', '', ''],
  ])('no change: %s', (_name, before, after) => expect(compare(before, after)).toEqual(none))

  test.each<[string, string, string, Partial<typeof none> | object]>([
    ['a number lost', 'i 1814 og 1905', 'i 1814', { lostNumbers: ['1905'] }],
    ['a number new', 'for lenge siden', 'for 200 år siden', { newNumbers: ['200'] }],
    ['a number changed', 'det kostet 1 500 kroner', 'det kostet 15 000 kroner', { lostNumbers: ['1500'], newNumbers: ['15000'] }],
    ['a decimal changed', '3,5 prosent', '35 prosent', { lostNumbers: ['3.5'], newNumbers: ['35'] }],
    ['a name lost', 'jeg og Kari Nordmann', 'jeg og Kari', { lostNames: ['Nordmann'] }],
    ['a name new', 'vi møtte ordføreren', 'vi møtte ordføreren, Per', { newNames: ['Per'] }],
    ['a name changed', 'vi møtte Lars', 'vi møtte Jens', { lostNames: ['Lars'], newNames: ['Jens'] }],
    ['a number changed in words', 'tjuefem kom', 'trettifem kom', { lostNumbers: ['25'], newNumbers: ['35'] }],
    ['in words and digits', 'fem hundre kroner', '600 kroner', { lostNumbers: ['500'], newNumbers: ['600'] }],
    ['a scale changed', '5 millioner kroner', '5 milliarder kroner', { lostNumbers: ['5000000'], newNumbers: ['5000000000'] }],
    ['a sign lost', 'det var -5 grader', 'det var 5 grader', { lostNumbers: ['-5'], newNumbers: ['5'] }],
    ['a number said once less', 'to epler, to pærer', 'to epler, pærer', { lostNumbers: ['2'] }],
    ['a month changed', 'den 12. mai', 'den 12. mars', { lostDays: ['mai'], newDays: ['mars'] }],
    ['a weekday changed', 'på måndagen', 'på tysdagen', { lostDays: ['mandag'], newDays: ['tirsdag'] }],
    [
      'amounts swapped',
      'Kari får 200 kroner og Ola får 300 kroner',
      'Kari får 300 kroner og Ola får 200 kroner',
      { movedNumbers: ['300', '200'] },
    ],
    ['doses swapped', 'to tabletter tre ganger', 'tre tabletter to ganger', { movedNumbers: ['3', '2'] }],
    ['Hans is no han', 'vi må ringe Hans, han venter', 'vi må ringe, han venter', { lostNames: ['Hans'] }],
    ['Lars is no lar', 'vi må ringe Lars', 'det lar seg gjøre', { lostNames: ['Lars'] }],
    ['each once', 'både Ola, Olas og Ola, 7, 77 og 77', 'ingen', { lostNames: ['Ola'], lostNumbers: ['7', '77'] }],
  ])('%s', (_name, before, after, changes) => expect(compare(before, after)).toEqual({ ...none, ...changes }))

  test('names that are known are looked for wherever they stand', () => {
    expect(compare('Maren sa nei.', 'Hun sa nei.', { names: ['Maren Aas', 'Per'] })).toEqual({ ...none, lostNames: ['Maren'] })
    expect(compare('hun sa nei', 'Maren sa nei', { names: ['Maren Aas'] })).toEqual({ ...none, newNames: ['Maren'] })
  })

  test('where two texts say the same, a word that begins a sentence and is no common one may be a name', () => {
    const both = (before: string, after: string) => compare(before, after, { withStarts: true })
    expect(both('Kari skal ringe.', 'Ola skal ringe.')).toEqual({ ...none, lostNames: ['Kari'], newNames: ['Ola'] })
    expect(both('vi så på taket. Det lekker. Altså, ja.', 'Taket lekker. Befaringen er gjort.')).toEqual(none)
  })

  test('where one may leave out, what is there at all counts', () => {
    expect(compare('5 kom fredag', '5 kom fredag, altså 5 på fredag', { isCounted: false })).toEqual(none)
    expect(compare('5 kom fredag', '5 kom fredag, altså 5 på fredag')).toEqual({ ...none, newNumbers: ['5'], newDays: ['fredag'] })
  })

  test('negations are counted', () => {
    expect(compareFacts('det er ikke kreft, og ingen fare', 'det er kreft, og inga fare').negations).toEqual([2, 1])
  })

  test('of itself a text loses nothing, and the other way round lost is new', () => {
    const text = fc
      .array(fc.constantFrom('Kari', 'Lars', 'og', '3', '10 000', '3,5', '.', 'tre', 'Åses', '\ud800', '–'), { maxLength: 12 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(compare(before, before)).toEqual(none)
        const [there, back] = [compare(before, after), compare(after, before)]
        expect([back.lostNames, back.lostNumbers]).toEqual([there.newNames, there.newNumbers])
      }),
    )
  })

  test.each(['1', '1 000 ', '1.', 'A', "A'", 'Ab ', 'a s', '«', '\u0301', '1:', 'hundre og ', 'Kari 5 ', '-1'])(
    'a megabyte of %j takes seconds at most',
    { timeout: 20_000 },
    (piece) => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      expect(compare(text, text)).toEqual(none)
    },
  )
})
