import { norwegianForm, type WebPage } from '@sidelinja/jobs-kit'
import type { Clip, Quality } from './job.ts'
import type { SummedUp } from './sum-up.ts'

/** What a page's node is to hold. */
export interface PageClip {
  readonly title: string
  readonly content: string
  readonly clip: Omit<Clip, 'jobId'>
}

/** Puts together what was asked for, what the page says of itself, and what a model made of it. The page's own title goes before a model's; one that was given goes before both. */
export function clipOf(page: WebPage, { title, clip }: SummedUp, given: { readonly title?: string | undefined }): PageClip {
  const {
    requestedUrl,
    url,
    canonicalUrl,
    siteName,
    author,
    publishedAt,
    description,
    reservations,
    mediaType,
    etag,
    contentHash,
    fetchedAt,
  } = page
  return {
    title: (given.title ?? page.title ?? title) || addressOf(page),
    content: page.text,
    clip: {
      ...{ quality: qualityOf(page), obstacle: page.obstacle, ...clip, sourceUrl: requestedUrl, url, canonicalUrl },
      ...{ siteName, author, publishedAt, description, language: norwegianForm(page.text) ?? page.language },
      ...{ reservations, mediaType, etag, contentHash, fetchedAt, cutCharacters: page.cutCharacters },
    },
  }
}

function qualityOf({ obstacle, text }: WebPage): Quality {
  if (obstacle === null) return 'full'
  return text === '' ? 'blocked' : 'partial'
}

/** What people know a page by that has no title. */
function addressOf({ url }: WebPage): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 300)
}
