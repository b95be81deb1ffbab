import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateTokens } from '../ai-text/parts/estimate-tokens.ts'
import { chunkNode } from './chunk-node.ts'
import { chunkText } from './chunk-text.ts'

const paragraph = (word: string, sentences = 20) => Array.from({ length: sentences }, (_, n) => `Setning ${n} om ${word} er her.`).join(' ')
const texts = (text: string, tokens = 100) => chunkText(text, tokens).map((chunk) => chunk.text)
const words = (text: string) => text.match(/\S+/g) ?? []

test('each heading begins a chunk, so that a change below one leaves the others as they are', () => {
  const section = (word: string, sentences?: number) => `## Om ${word}\n\n${paragraph(word, sentences)}\n\n`
  const before = texts(section('ferja') + section('skolen') + section('veien'), 150)
  const after = texts(section('ferja', 35) + section('skolen') + section('veien'), 150)
  const below = (chunks: string[]) => chunks.slice(chunks.findIndex((text) => text.startsWith('## Om skolen')))
  expect(below(after)).toEqual(below(before))
  expect(below(before).length).toBeGreaterThan(1)
})

test('chunks of one section overlap by a whole sentence or more, and by no more than a fourth', () => {
  const chunks = texts(paragraph('ferja', 60))
  expect(chunks.length).toBeGreaterThan(3)
  for (const [index, chunk] of chunks.slice(1).entries()) {
    const before = chunks[index] ?? ''
    const first = /^.*?[.] /.exec(chunk)?.[0].trim() ?? ''
    expect(before).toContain(first)
    expect(before.length - before.indexOf(first)).toBeLessThan(before.length / 4)
  }
})

test('a heading with little below it goes with what follows', () => {
  expect(texts('# Tittel\n\n## Om ferja\n\nDen går.\n', 100)).toEqual(['# Tittel\n\n## Om ferja\n\nDen går.'])
})

test('no word is lost, and no chunk is longer than it may be', () => {
  const text = fc.array(
    fc.oneof(fc.lorem({ maxCount: 30, mode: 'sentences' }), fc.string({ maxLength: 60 }), fc.constantFrom('\n\n', '\n# Ny del\n')),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 50, max: 400 }), (parts, tokens) => {
      const whole = parts.join(' ')
      const chunks = texts(whole, tokens)
      const said = chunks.join(' ').replace(/\s+/g, '')
      for (const word of words(whole).filter((each) => each.length < 10)) expect(said).toContain(word)
      for (const chunk of chunks) expect(estimateTokens(chunk)).toBeLessThanOrEqual(tokens * 1.4)
    }),
    { numRuns: 100 },
  )
})

test('what is said comes after what is written, with its times; a text that comes twice is there once', () => {
  const segments = Array.from({ length: 30 }, (_, n) => ({
    startMs: n * 1_000,
    endMs: n * 1_000 + 900,
    text: `Her er setning nummer ${n} av sendingen.`,
  }))
  const chunks = chunkNode({ title: ' Øysending ', content: 'Om ferja.', segments }, 200)
  expect(chunks[0]).toMatchObject({ text: 'Øysending\n\nOm ferja.', startMs: null })
  const spoken = chunks.slice(1)
  expect(spoken[0]?.startMs).toBe(0)
  expect(spoken.at(-1)?.endMs).toBe(29_900)
  // Each begins with the last segment of the one before.
  for (const [index, chunk] of spoken.slice(1).entries()) expect(chunk.startMs).toBe((spoken[index]?.endMs ?? 0) - 900)

  const twice = chunkNode({ title: null, content: `# A\n\n${paragraph('a')}\n# A\n\n${paragraph('a')}\n` }, 1_000)
  expect(twice).toHaveLength(1)
  expect(chunkNode({ title: '', content: ' \n ', segments: [] }, 200)).toEqual([])
})
