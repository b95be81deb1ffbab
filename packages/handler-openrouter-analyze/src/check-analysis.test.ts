import { expect, test } from 'vitest'
import { checkAnalysis } from './check-analysis.ts'
import type { AnalysisReply } from './questions.ts'

const segment = (text: string, n: number) => ({ startMs: n * 1_000, endMs: n * 1_000 + 999, text })
const people = (texts: readonly string[], names: readonly string[]) => {
  const found = names.map((name) => ({ name, role: null, evidence: 1 }))
  const reply: AnalysisReply = { title: 't', description: 'd', summary: 's', chapters: [], topics: [], people: found, quotes: [] }
  const { analysis } = checkAnalysis(reply, { segments: texts.map(segment) as never, language: 'nb', resolveTopic: () => undefined })
  return analysis.people.map(({ name }) => name)
}

test.each([
  ['Maren Dahl', true],
  ['Maren Dal', true],
  ['maren', true],
  ['MAREN', true],
  ['Anne-Grete', true],
  ['Kong Harald', false],
  // Words that every text has name nobody.
  ['Harald og Sonja', false],
  ['harald og sonja', false],
  ['mar', false],
])('%s is named: %s', (name, named) => {
  expect(people(['God morgen, jeg heter Maren og er her i dag', 'og med meg Anne-Grete.'], [name])).toEqual(named ? [name] : [])
})

test('names of very many words in a very long transcript take seconds at most', { timeout: 10_000 }, () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => `Dette er setning nummer ${n} om kommunen og veien i Bodø.`)
  const names = Array.from({ length: 40 }, () => 'Zz '.repeat(39))
  expect(people(texts, names)).toEqual([])
})
