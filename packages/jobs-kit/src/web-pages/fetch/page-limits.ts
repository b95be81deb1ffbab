import { PermanentError } from '@sidelinja/jobs-core'
import { maskUrl } from '../../http/mask-url.ts'
import type { AnswerHead, FetchedAnswer } from '../../safe-fetch/safe-fetch.ts'
import { kindOf, mayBePage, parseMediaType } from '../media-type.ts'

const maxPageBytes = 5 * 1024 * 1024
const maxPdfBytes = 10 * 1024 * 1024

/**
 * How much of an answer is read: nothing of one that is no page.
 * @throws PermanentError `MEDIA_TYPE_UNSUPPORTED`
 */
export function limitOf({ url, status, headers }: AnswerHead): number {
  if (status >= 400) return 0
  const { type } = parseMediaType(headers['content-type'])
  if (!mayBePage(type)) throw unsupported(url, type)
  // What it is shows in its first bytes; until then it may be a PDF.
  return /^text\/|xhtml/.test(type) ? maxPageBytes : maxPdfBytes
}

/** @throws PermanentError `PAGE_TOO_LARGE`, `MEDIA_TYPE_UNSUPPORTED` */
export function checkPage({ url, headers, body, whole }: FetchedAnswer): void {
  const { type } = parseMediaType(headers['content-type'])
  const kind = kindOf(type, body)
  if (kind === undefined) throw unsupported(url, type)
  const most = kind === 'pdf' ? maxPdfBytes : maxPageBytes
  if (!whole || body.length > most) throw tooLarge(url, most)
}

function unsupported(url: URL, type: string): PermanentError {
  return new PermanentError(
    'MEDIA_TYPE_UNSUPPORTED',
    `Expected a page, a text or a PDF at ${maskUrl(url)}, got ${JSON.stringify(type.slice(0, 100))}. Enqueue a page that tells of it, or paste the text (research_clip).`,
  )
}

function tooLarge(url: URL, most: number): PermanentError {
  return new PermanentError(
    'PAGE_TOO_LARGE',
    `${maskUrl(url)} is longer than the ${most / 1024 / 1024} MB that are read of one. Paste what you want of it (research_clip).`,
  )
}
