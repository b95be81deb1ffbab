import { describe, expect, test } from 'vitest'
import { mayRead } from './read-robots.ts'

const may = (text: string, path: string) => mayRead(text, 'Sidelinja-Jobs', new URL(path, 'https://avisa.example'))

describe('a rule', () => {
  test.each([
    ['/', '/sak', false],
    ['/sak', '/sak/7', false],
    ['/sak/', '/sak', true],
    ['/Sak', '/sak', true],
    ['/*.pdf$', '/a/b.pdf', false],
    ['/*.pdf$', '/a/b.pdf?x', true],
    ['/*.pdf', '/a/b.pdf?x', false],
    ['/a*b*c', '/a-b-c-d', false],
    ['/a*b*c', '/a-c-b', true],
    ['/sak$', '/sak', false],
    ['/sak$', '/sak/', true],
    ['*/skjult', '/a/skjult', false],
    ['/ab*ab$', '/ab', true],
    ['', '/sak', true],
  ])('Disallow: %s, and %s: %s', (pattern, path, allowed) => expect(may(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(allowed))
})

describe('groups', () => {
  const robots = `# om roboter
User-agent: annen
User-agent: sidelinja-jobs # oss
Disallow: /privat
Allow: /privat/åpent
Crawl-delay: 10

User-agent: *
Disallow: /
user-agent: Sidelinja-Jobs
DISALLOW: /mer`
  test.each([
    ['/', true],
    ['/privat/x', false],
    ['/mer/x', false],
    ['/privat/åpent/x', true],
  ])('of its own name are taken together, and those for all are not: %s', (path, allowed) => expect(may(robots, path)).toBe(allowed))

  test('for all hold where none is its own', () => {
    expect(may('User-agent: annen\nDisallow: /\n\nUser-agent: *\nDisallow: /a\nAllow: /a/b', '/a/c')).toBe(false)
    expect(may('User-agent: annen\nDisallow: /\n\nUser-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b')).toBe(true)
    expect(may('User-agent: *\nDisallow: /a\nAllow: /a', '/a')).toBe(true)
    expect(may('User-agent: annen\nDisallow: /', '/a')).toBe(true)
    expect(may('', '/a')).toBe(true)
    expect(may('<!doctype html><h1>404</h1>', '/a')).toBe(true)
  })
})

test('a text that was made to take time takes none', () => {
  const started = performance.now()
  expect(may(`User-agent: *\n${`Disallow: /${'a*'.repeat(240)}b$\n`.repeat(1_000)}`, `/${'a'.repeat(8_000)}`)).toBe(true)
  expect(may(`User-agent: ${' '.repeat(400_000)}x`, '/a')).toBe(true)
  expect(performance.now() - started).toBeLessThan(5_000)
})
