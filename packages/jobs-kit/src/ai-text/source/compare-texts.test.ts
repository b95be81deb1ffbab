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
  expect(kinds(`${before} ${before}`, ratio)).toEqual(['length 94 → 189: I '])
})

test('one that shortens may leave out, but not add', () => {
  expect(kinds('Selma svarer.')).toEqual([])
  expect(kinds('Selma svarer 6. mai.')).toEqual(['new_number 6'])
})

test('length and language make it another text, and what is told is told once, and not without end', () => {
  const language = compareLanguages(before, 'I går snakka vi med ho om taket, og ho veit ikkje noko.')
  expect(language).toEqual([{ kind: 'language', text: 'nb → nn' }])
  expect([isUnlike(language), isUnlike([{ kind: 'length' }]), isUnlike([{ kind: 'lost_name' }])]).toEqual([true, true, false])
  const many = Array.from({ length: 300 }, (_, n) => ({ kind: 'lost_number' as const, text: String(n % 250) }))
  expect(listChanges(many)).toHaveLength(200)
  expect(listChanges(many).at(-1)).toEqual({ kind: 'more', text: '51' })
})
