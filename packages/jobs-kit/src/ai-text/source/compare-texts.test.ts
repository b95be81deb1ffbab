import { expect, test } from 'vitest'
import { compareLanguages, compareTexts, isUnlike, listChanges } from './compare-texts.ts'

const before = 'I går snakket vi med Selma Haugen om de 640 000 kronene til taket, og hun svarer innen 5. mai.'
const kinds = (after: string, ratio?: [number, number]) =>
  compareTexts(before, after, { names: [], ratio }).map(({ kind, text }) => `${kind} ${text.slice(0, 12)}`)

test('a text that says the same has the numbers, the names and about the length', () => {
  const ratio: [number, number] = [0.5, 1.3]
  expect(kinds(before, ratio)).toEqual([])
  expect(kinds('I går snakket vi med Selma om 640 000 kroner til taket. Hun svarer innen 15. mai, og Per.', ratio)).toEqual([
    ...['lost_number 5', 'lost_name Haugen', 'new_number 15', 'new_name Per'],
  ])
  expect(kinds('Selma Haugen: 640 000, 5. mai.', ratio)).toEqual(['length 94 → 30: I g'])
  expect(kinds(`${before} ${before}`, ratio)).toEqual(['length 94 → 189: I ', 'new_number 640000', 'new_number 5', 'new_day mai'])
})

test.each([
  ['Gi henne ingen flere tabletter.', 'Ja.', ['length', 'negation']],
  ['ring legen om prøvesvaret', '.', ['length']],
  ['Eh, altså, ring legen, eh, i morgen.', 'Ring legen.', []],
  ['Eh, ja, altså.', 'Ja.', []],
])('a short text may lose its fillers, and not nearly all: %j → %j', (dictated, note, expected) => {
  expect(compareTexts(dictated, note, { names: [], ratio: [0.5, 1.3] }).map(({ kind }) => kind)).toEqual(expected)
  expect(compareTexts(dictated, note, { names: [] })).toEqual([])
})

test('one that shortens may leave out, but not add', () => {
  expect(kinds('Selma svarer.')).toEqual([])
  expect(kinds('Selma svarer 6. mai.')).toEqual(['new_number 6'])
})

test('days, swapped numbers and a lost negation are told where the two say the same', () => {
  const said = 'Kari får ikke 200 kroner og Ola får 300 kroner på fredag.'
  const made = 'Kari får 300 kroner og Ola får 200 kroner på torsdag.'
  const told = (ratio?: [number, number]) => compareTexts(said, made, { names: [], ratio }).map(({ kind, text }) => `${kind} ${text}`)
  expect(told([0.5, 1.3])).toEqual([...['lost_day fredag', 'new_day torsdag', 'moved_number 300', 'moved_number 200', 'negation 1 → 0']])
  expect(told()).toEqual(['new_day torsdag'])
})

test.each([
  ['nn', 'nb', 'nn → nb'],
  ['nb', 'nn', 'nb → nn'],
  ['nn', 'en', 'nn → ?'],
  ['nb', 'sv', 'nb → ?'],
  ['en', 'nb', '? → nb'],
  ['nb', 'fi', 'nb → ?'],
  ['nb', 'mixed', 'nb → ?'],
  ['nb', 'short', undefined],
  ['nb', 'nb', undefined],
  ['en', 'sv', undefined],
  ['short', 'en', undefined],
] as const)('a language that changed is told: %s, %s', (from, to, told) => {
  expect(compareLanguages(texts[from], texts[to])[0]?.text).toBe(told)
})

const texts = {
  nb: 'Jeg vet ikke hva vi skal gjøre nå.',
  nn: 'Eg veit ikkje kva me skal gjere no.',
  en: 'I do not know what we are to do with this now.',
  sv: 'Jag vet inte vad vi ska göra nu och det är inte bra.',
  fi: 'Emme tiedä mitä meidän pitäisi tehdä nyt koska talo on vanha ja katto vuotaa sateella kolmesta paikasta eikä rahaa ole',
  mixed: 'Jeg veit ikkje hva me skal gjøre no, men vi vet ikke kva me skal gjere når huset er seld og alt er klart.',
  short: 'Taket er tett.',
}

test('length and language make it another text, and what is told is told once, and not without end', () => {
  const language = compareLanguages(before, 'I går snakka vi med ho om taket, og ho veit ikkje noko.')
  expect(language).toEqual([{ kind: 'language', text: 'nb → nn' }])
  expect([isUnlike(language), isUnlike([{ kind: 'length' }]), isUnlike([{ kind: 'lost_name' }])]).toEqual([true, true, false])
  const many = Array.from({ length: 300 }, (_, n) => ({ kind: 'lost_number' as const, text: String(n % 250) }))
  expect(listChanges(many)).toHaveLength(200)
  expect(listChanges(many).at(-1)).toEqual({ kind: 'more', text: '51' })
})
