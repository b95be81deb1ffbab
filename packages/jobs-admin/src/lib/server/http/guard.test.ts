import { describe, expect, test } from 'vitest'
import { type BodyKind, foreignReader, refusalOf } from './guard.ts'

const ownOrigin = 'https://admin.example.org'
const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'TEXT/PLAIN; x',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  null,
]
const senders: Record<string, Record<string, string>> = {
  'says nothing': {},
  'cross-site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'same-site': { 'sec-fetch-site': 'same-site', origin: 'https://other.example.org' },
  none: { 'sec-fetch-site': 'none' },
  'an opaque origin': { origin: 'null' },
  'an opaque origin of a page that says it is ours': { 'sec-fetch-site': 'same-origin', origin: 'null' },
  'another origin': { origin: 'https://evil.example' },
  'http instead of https': { origin: 'http://admin.example.org' },
  'another port': { origin: 'https://admin.example.org:8443' },
  'a name that begins like ours': { origin: 'https://admin.example.org.evil.example' },
  'another name that leads here': { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
  'cross-site with our origin': { 'sec-fetch-site': 'cross-site', origin: ownOrigin },
  'an upper-case word': { 'sec-fetch-site': 'Same-Origin', origin: ownOrigin },
  'two words': { 'sec-fetch-site': 'same-origin, cross-site', origin: ownOrigin },
}
const ours: Record<string, Record<string, string>> = {
  'same-origin': { 'sec-fetch-site': 'same-origin', origin: ownOrigin },
  'same-origin without Origin': { 'sec-fetch-site': 'same-origin' },
  'an older browser': { origin: ownOrigin },
}
const isJson = (contentType: string | null) => contentType?.startsWith('application/json') && !contentType.includes('utf-16')

describe('refusalOf', () => {
  test.each(Object.entries(senders))('%s: every method and content type is refused', (_name, headers) => {
    for (const method of methods) {
      for (const contentType of contentTypes) {
        expect(refuse(method, contentType, headers)).toMatchObject({ status: 403 })
        expect(refuse(method, contentType, headers, 'form')).toMatchObject({ status: 403 })
      }
    }
  })

  test.each(Object.entries(ours))('%s: only JSON passes', (_name, headers) => {
    for (const method of methods) {
      for (const contentType of contentTypes) {
        const refusal = refuse(method, contentType, headers)
        if (isJson(contentType)) expect(refusal).toBeUndefined()
        else expect(refusal).toMatchObject({ status: 415, code: 'CONTENT_TYPE' })
      }
    }
  })

  test.each(['application/json;charset=UTF-8', 'Application/JSON', 'application/json; charset="utf-8"'])('%s is JSON', (contentType) => {
    expect(refuse('POST', contentType, ours['same-origin'])).toBeUndefined()
  })

  test.each([
    'application/json; x=1',
    'application/json;',
    'application/json, text/plain',
    'application/ld+json',
    'text/json',
    'application/json; charset=utf-8; charset=utf-7',
    '',
  ])('%s is not', (contentType) => {
    expect(refuse('POST', contentType, ours['same-origin'])).toMatchObject({ status: 415 })
  })

  test('a form action of a page of ours takes forms', () => {
    expect(refuse('POST', 'multipart/form-data; boundary=x', ours['same-origin'], 'form')).toBeUndefined()
    expect(refuse('POST', 'application/x-www-form-urlencoded', ours['same-origin'], 'form')).toBeUndefined()
    expect(refuse('POST', 'text/plain', ours['same-origin'], 'form')).toMatchObject({ status: 415 })
  })

  test.each(['GET', 'HEAD', 'OPTIONS'])('%s changes nothing', (method) => {
    expect(refuse(method, null, senders['cross-site'])).toBeUndefined()
  })

  test('an origin that is set wrong is told apart', () => {
    expect(refuse('POST', 'application/json', { 'sec-fetch-site': 'same-origin', origin: 'https://jobs.example.org' })).toMatchObject({
      code: 'ORIGIN_MISMATCH',
    })
  })
})

describe('foreignReader', () => {
  test.each(['cross-site', 'same-site'])('%s may not ask for data', (site) => {
    expect(foreignReader(facts('GET', null, { 'sec-fetch-site': site }))).toMatchObject({ status: 403, code: 'CROSS_SITE' })
  })

  test.each(['same-origin', 'none', undefined])('%s may', (site) => {
    expect(foreignReader(facts('GET', null, site ? { 'sec-fetch-site': site } : {}))).toBeUndefined()
  })
})

function refuse(method: string, contentType: string | null, headers: Record<string, string> = {}, body: BodyKind = 'json') {
  return refusalOf(facts(method, contentType, headers), body)
}

function facts(method: string, contentType: string | null, headers: Record<string, string>) {
  return { method, ownOrigin, headers: new Headers({ ...headers, ...(contentType !== null && { 'content-type': contentType }) }) }
}
