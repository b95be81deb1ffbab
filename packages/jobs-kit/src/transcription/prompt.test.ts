import { expect, test } from 'vitest'
import { asPrompt, endOf, joinNames } from './prompt.ts'

test('names stand in one line, each once, as many as fit', () => {
  expect(joinNames([])).toBe('')
  expect(joinNames(['Maren', ' Øystein\nBråten ', 'Maren', ''])).toBe('Maren, Øystein Bråten')
  const many = Array.from({ length: 1_000 }, (_, index) => `Navn${index}`)
  expect(joinNames(many).length).toBeLessThanOrEqual(600)
  expect(joinNames(many)).toMatch(/^Navn0, .*Navn\d+$/)
})

test('what was said before is cut at a word', () => {
  expect(endOf('kort')).toBe('kort')
  const end = endOf(`${'langt ord '.repeat(100)}slutt`)
  expect(end.length).toBeLessThanOrEqual(200)
  expect(end).toMatch(/^(langt|ord) .*slutt$/)
  expect(endOf('å'.repeat(500)).length).toBeLessThanOrEqual(200)
})

test('both in one prompt', () => {
  expect([asPrompt('', ''), asPrompt('Maren', ''), asPrompt('', 'og så'), asPrompt('Maren, Ola', 'og så')]).toEqual([
    '',
    'Maren.',
    'og så',
    'Maren, Ola. og så',
  ])
})
