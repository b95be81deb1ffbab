import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refusedTexts } from '../../page/messages/refused.ts'
import { readerOf } from './reader.ts'
import { refusalPage } from './refusal-page.ts'

const denied = { status: 403, code: 'NOT_ALLOWED', detail: '', right: 'act' } as const
const context = { lang: 'nb', theme: 'auto', again: '/admin/jobs' } as const

describe('what stands in place of the page', () => {
  test.each(['nb', 'nn', 'en'] as const)('says in %s which right is missing, and what to do', async (lang) => {
    const page = refusalPage(denied, { ...context, lang, signIn: '/signin' })
    const html = await page.text()
    const texts = refusedTexts[lang]
    expect([page.status, page.headers.get('content-type'), page.headers.get('content-language')]).toEqual([
      403,
      'text/html; charset=utf-8',
      lang,
    ])
    expect(html).toContain(`<html lang="${lang}">`)
    for (const text of [texts['NOT_ALLOWED.title'], `<code>act</code>: ${texts['right.act']}`, texts['NOT_ALLOWED.advice']])
      expect(html).toContain(text)
    expect(html).toContain('<a href="/signin">')
    expect(html).not.toContain('undefined')
  })

  test('has no scripts, and a policy that lets in its own style and nothing else', async () => {
    const page = refusalPage(denied, context)
    const html = await page.text()
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? []
    expect(html).not.toMatch(/<script|\son\w+=|\sstyle=|<form/)
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    )
  })

  test('has a text for what it does not know, and where the log has more', async () => {
    const html = await refusalPage({ status: 500, code: 'INTERNAL', detail: 'secret', correlationId: 'an-id' }, context).text()
    expect(html).toContain(refusedTexts.nb['other.title'])
    expect(html).toContain('<code>an-id</code>')
    expect(html).not.toContain('secret')
  })

  test('writes nothing as markup that came from outside', async () => {
    const html = await refusalPage(
      { ...denied, code: '<b>"', correlationId: '<i>' },
      { ...context, again: '/admin/jobs?a="><script>' },
    ).text()
    expect(html).not.toMatch(/<b>|<i>|<script>/)
  })
})

describe('its reader', () => {
  test.each([
    [null, null, 'nb', 'auto'],
    [null, 'en-GB,en;q=0.9', 'en', 'auto'],
    [null, 'de, nn;q=0.8, en;q=0.7', 'nn', 'auto'],
    [null, 'en;q=0.5, no;q=0.9', 'nb', 'auto'],
    [null, 'en;q=0, fr, *', 'nb', 'auto'],
    [null, ';;q=x,,=', 'nb', 'auto'],
    ['a=b; sidelinja-jobs=lang%3Dnn%26theme%3Ddark', 'en', 'nn', 'dark'],
    ['sidelinja-jobs=lang%3Dxx%26theme%3Dodd', 'en', 'nb', 'auto'],
    ['sidelinja-jobs=%E0%A4%A', 'en', 'nb', 'auto'],
  ])('with the cookie %s and the languages %s reads %s, %s', (cookie, languages, lang, theme) => {
    const headers = new Headers({ ...(cookie !== null && { cookie }), ...(languages !== null && { 'accept-language': languages }) })
    expect(readerOf(headers)).toEqual({ lang, theme })
  })
})
