import { expect, test } from 'vitest'
import { injections } from './injections.ts'

test('forty different texts, in all three languages, after everything', () => {
  expect(new Set(injections.map(({ text }) => text)).size).toBe(40)
  const languages = Object.groupBy(injections, ({ language }) => language)
  expect(Object.entries(languages).map(([language, texts]) => [language, texts.length])).toEqual([
    ['nb', 18],
    ['nn', 8],
    ['en', 14],
  ])
  expect([...new Set(injections.map(({ aim }) => aim))].toSorted()).toEqual([
    ...['boundary', 'collection', 'edges', 'form', 'ids', 'instructions', 'links', 'secret'],
  ])
})
