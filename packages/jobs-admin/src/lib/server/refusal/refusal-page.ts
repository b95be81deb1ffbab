import { createHash } from 'node:crypto'
import { refusedTexts } from '../../page/messages/refused.ts'
import type { Prefs } from '../../page/wire/page-data.ts'
import type { Problem } from '../http/problem.ts'
import { refusalStyle } from './style.ts'

/** What a refusal leads to. */
export interface RefusalContext extends Pick<Prefs, 'lang' | 'theme'> {
  /** Where the same may be asked again: a path of this host. */
  again: string
  /** Where somebody signs in as somebody else; a path of this host. */
  signIn?: string | undefined
}

/** A page that stands alone, without scripts: what was refused, which right is missing, and what to do. */
export function refusalPage(problem: Problem, context: RefusalContext): Response {
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'content-language': context.lang,
    'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(refusalStyle).digest('base64')}'`,
  })
  if (problem.retryAfterSeconds !== undefined) headers.set('retry-after', String(problem.retryAfterSeconds))
  return new Response(documentOf(problem, context), { status: problem.status, headers })
}

function documentOf(problem: Problem, { lang, theme, again, signIn }: RefusalContext): string {
  const texts = refusedTexts[lang]
  const has = (key: string): key is keyof typeof texts => Object.hasOwn(texts, key)
  const about = (part: string) => {
    const key = `${problem.code}.${part}`
    return texts[has(key) ? key : (`other.${part}` as keyof typeof texts)]
  }
  const { right, correlationId } = problem
  const missing =
    right && `<dl><dt>${texts['right.missing']}</dt><dd><code>${escapeHtml(right)}</code>: ${texts[`right.${right}`]}</dd></dl>`
  const links = [
    `<a href="${escapeHtml(again)}">${texts.again}</a>`,
    signIn === undefined || problem.status !== 403 ? '' : `<a href="${escapeHtml(signIn)}">${texts.sign_in}</a>`,
  ]
  return `<!doctype html>
<html lang="${lang}"${theme === 'auto' ? '' : ` data-theme="${theme}"`}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${about('title')} – ${texts.site}</title><link rel="icon" href="data:,"><style>${refusalStyle}</style></head>
<body><main><p class="site">${texts.site}</p><h1>${about('title')}</h1><p>${about('text')}</p>${missing ?? ''}<p>${about('advice')}</p>
<nav>${links.join('')}</nav><small>${problem.status} <code>${escapeHtml(problem.code)}</code>${correlationId === undefined ? '' : `<br>${texts.log} <code>${escapeHtml(correlationId)}</code>`}</small></main></body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
