/**
 * Why a page was not, or not wholly, read; what text there is is not the article then.
 * `not_found` 404 and 410, and pages that say so; `refused` another refusal, or a check whether one is a browser; `consent` a request for consent in place of the page; `paywall` the rest is for
 * subscribers; `needs_script` nothing without JavaScript; `empty` no text; `scanned` a PDF of pictures; `unreadable` a page that could not be read within its limits, a PDF that is locked or damaged;
 * `no_pdf_reader` a PDF, on a machine without pdftotext; `robots` the site does not want it read by machines on their own.
 */
export type Obstacle =
  | 'not_found'
  | 'refused'
  | 'consent'
  | 'paywall'
  | 'needs_script'
  | 'empty'
  | 'scanned'
  | 'unreadable'
  | 'no_pdf_reader'
  | 'robots'

/** A page, as far as it could be read. Text of strangers, without markup: escape it where it is shown. */
export type WebPage = {
  /** As it was asked for. */
  requestedUrl: string
  /** Where it was found, after redirects. */
  url: string
  /** Where it says that it belongs, if that is its own site. */
  canonicalUrl: string | null
  /** The same for every address of the page that differs only in what tells readers apart: tracking parameters, fragment, http or https. */
  key: string
  /** Of HTTP; null where robots.txt forbade to ask. */
  status: number | null
  /** Like `text/html`. */
  mediaType: string | null
  /** Null: it was read as far as anybody could. */
  obstacle: Obstacle | null
  /** Paragraphs with blank lines between them. Of a page with an obstacle what there is, often ''. */
  text: string
  /** Characters beyond those that are kept. */
  cutCharacters: number
  title: string | null
  siteName: string | null
  author: string | null
  /** As `2026-12-01` or with time and zone, as the page says it. */
  publishedAt: string | null
  description: string | null
  /** A language tag, as the page says it. */
  language: string | null
  /** What it reserves: `noai` against use by AI, `tdm` against text and data mining. */
  reservations: ('noai' | 'tdm')[]
  etag: string | null
  /** SHA-256 of the body, in hexadecimal digits; null where there is none. */
  contentHash: string | null
  /** Of the body, unpacked. */
  bytes: number
  /** When it was fetched, by the database's clock. */
  fetchedAt: string
}

/** What is to be read. */
export interface PageRequest {
  readonly url: string
  /** Nobody asked for this page just now: robots.txt is obeyed. */
  readonly automated?: boolean | undefined
}

/** Reads pages of the public web. */
export interface WebPages {
  /**
   * Fetches a page and reads its text and what it says of itself. What stands between is no error but `obstacle`.
   * @throws PermanentError `ADDRESS_REFUSED`, `TOO_MANY_REDIRECTS`, `MEDIA_TYPE_UNSUPPORTED`, `PAGE_TOO_LARGE`; UpstreamError where it may be well later: a server that does not answer, 5xx, 429; the
   * signal's reason.
   */
  read(request: PageRequest, signal: AbortSignal): Promise<WebPage>
}
