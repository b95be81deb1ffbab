import { describe, expect, test } from 'vitest'
import { canonicalUrl, sameSite } from './canonical-url.ts'
import { pageKey, withoutTracking } from './page-key.ts'

test.each([
  'https://avisa.example/sak?id=7&b=1',
  'http://avisa.example/sak?b=1&id=7#kommentarer',
  'https://AVISA.example:443/sak?utm_source=x&UTM_Medium=y&fbclid=1&id=7&gclid=2&b=1',
])('the key of %s is that of the page', (url) => expect(pageKey(new URL(url))).toBe('avisa.example/sak?b=1&id=7'))

test('what belongs to the page stays, as it was written', () => {
  expect(withoutTracking(new URL('https://avisa.example/s%C3%A6r?q=a%20b&q=c&ref=2#x')).href).toBe(
    'https://avisa.example/s%C3%A6r?q=a%20b&q=c&ref=2',
  )
  expect(pageKey(new URL('http://avisa.example:8080/?'))).toBe('avisa.example:8080/')
})

describe('a canonical address', () => {
  const url = new URL('https://m.avisa.example/sak/7?utm_source=x')
  test.each([
    ['https://avisa.example/sak/7', 'https://avisa.example/sak/7'],
    ['/sak/8#topp', 'https://m.avisa.example/sak/8'],
    ['http://www.avisa.example/sak/7', 'http://www.avisa.example/sak/7'],
    ['https://lokal.avisa.example/sak/7', 'https://lokal.avisa.example/sak/7'],
  ])('%s is believed', (said, canonical) => expect(canonicalUrl(said, url)?.href).toBe(canonical))

  test.each([
    'https://annen.example/sak/7',
    'https://avisa.example/',
    'javascript:alert(1)',
    'https://u:p@avisa.example/sak',
    'http://',
    'https://avisa.example:8443/sak',
  ])('%s is not', (said) => expect(canonicalUrl(said, url)).toBeNull())

  test('is not that of a host whose name only ends alike', () => {
    expect(sameSite(new URL('https://ondavisa.example/'), new URL('https://avisa.example/'))).toBe(false)
    expect(sameSite(new URL('https://m.example/'), new URL('https://www.m.example/'))).toBe(true)
  })
})
