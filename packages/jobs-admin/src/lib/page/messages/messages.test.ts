import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messages, translate } from './index.ts'

const folder = join(import.meta.dirname, '..')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(svelte|ts|css)$/.test(file) && !file.includes('.test.'),
)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted()

describe('texts', () => {
  test.each(['nn', 'en'] as const)('%s has the same keys as nb', (lang) => {
    expect(Object.keys(messages[lang]).toSorted()).toEqual(Object.keys(messages.nb).toSorted())
  })

  test.each(['nn', 'en'] as const)('%s puts in the same values', (lang) => {
    const differing = Object.entries(messages.nb).filter(([key, text]) => {
      const theirs = messages[lang][key as keyof typeof messages.nb]
      return JSON.stringify(placeholders(text)) !== JSON.stringify(placeholders(theirs))
    })
    expect(differing.map(([key]) => key)).toEqual([])
  })

  test('have a form for one and one for more', () => {
    expect(translate('nb', 'list.fresh', { n: 1 })).toBe('1 ny jobb')
    expect(translate('nb', 'list.fresh', { n: 7 })).toBe('7 nye jobber')
    expect(translate('nb', 'list.fresh', { n: '50+' })).toBe('50+ nye jobber')
  })

  test('show a value as it is, also one that looks like a place for another', () => {
    expect(translate('en', 'copy.done', { what: '{n} $& $1' })).toBe('{n} $& $1 is copied')
  })

  test('are all used', () => {
    const code = sources
      .filter((file) => !file.startsWith('messages'))
      .map(read)
      .join('\n')
    const prefixes = [...code.matchAll(/[`'"]([\w.]+\.)\$\{/g)].map(([, prefix]) => prefix as string)
    const unused = Object.keys(messages.nb).filter(
      (key) => !code.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    )
    expect(unused).toEqual([])
  })
})

describe('components', () => {
  test('never write markup that they were given, or style by attribute', () => {
    const bad = sources.filter(
      (file) =>
        file.endsWith('.svelte') && /\{@html|\sstyle=|style:|innerHTML|srcdoc|<iframe|<script(?! (module )?lang="ts")/.test(read(file)),
    )
    expect(bad).toEqual([])
  })

  test('lead only to paths of our own', () => {
    const links = sources
      .filter((file) => file.endsWith('.svelte'))
      .flatMap((file) => [...read(file).matchAll(/\s(?:href|action|src)=("[^"]*"|\{[^}]*\}?)/g)].map(([, value]) => `${file} ${value}`))
    expect(links.length).toBeGreaterThan(40)
    const own = /\{ui\.href\(|"#sj-content"|"\{ui\.href\(|"\?\/|\{(retryHref|firstPage|href|action)\}|\{link\(|\{action\}/
    expect(links.filter((link) => !own.test(link))).toEqual([])
  })

  test('style nothing outside the page', () => {
    const leaking = sources
      .filter((file) => file.endsWith('.css'))
      .flatMap((file) => selectorsOf(read(file)).filter((selector) => !/^\.sj\b/.test(selector)))
    expect(leaking).toEqual([])
    const names = sources.filter((file) => file.endsWith('.css')).flatMap((file) => read(file).match(/^\s*--[\w-]+(?=:)/gm) ?? [])
    expect(names.filter((name) => !name.trim().startsWith('--sj-'))).toEqual([])
  })
})

function selectorsOf(css: string): string[] {
  const bare = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/@import[^;]*;/g, '')
    // Steps of an animation of ours are no selectors.
    .replace(/@keyframes sj-[\w-]+\s*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '')
  return [...bare.matchAll(/([^{};]+)\{/g)].flatMap(([, selector = '']) => {
    const text = selector.trim()
    if (text.startsWith('@')) return []
    // Commas inside of :is( … ) are not between selectors.
    return text
      .replace(/\([^()]*\)/g, '')
      .split(',')
      .map((part) => part.trim())
  })
}
