import type { Resolve } from '../safe-fetch/checked-agent.ts'
import { createSafeFetch } from '../safe-fetch/create-safe-fetch.ts'
import { createPageFetch, type FetchedPage } from './fetch/create-page-fetch.ts'
import { createOneAtATime } from './one-at-a-time.ts'
import { createBodyReader, type ReadBody } from './read-body.ts'
import { toWebPage } from './to-web-page.ts'
import type { WebPages } from './web-page.ts'

/** How pages are read. */
export interface WebPagesOptions {
  /** An address or a page, for sites that want to know who asks: it is sent with every request (WEB_CONTACT_URL). */
  readonly contact?: string | undefined
  /**
   * FOR TESTS AND DEMONSTRATIONS ONLY: `address:port` inside that may be fetched all the same, such as `127.0.0.1:8080`. Each opens that one port of that one address to every page and every redirect that names it.
   * Default: none, and no variable of the worker sets it.
   */
  readonly allowLocal?: readonly string[] | undefined
  /** For tests: how names are looked up. Default: as the system does. */
  readonly resolve?: Resolve | undefined
  /** Where pdftotext is. Default `pdftotext`, looked up in PATH; without one, PDFs are stored without their text. */
  readonly pdftotextPath?: string | undefined
  /** How long a page may be looked for and read, redirects included. Default 20 s. */
  readonly fetchTimeoutMs?: number | undefined
  /** How long finding the text of a page may take. Default 15 s. */
  readonly parseTimeoutMs?: number | undefined
  /** What finding it may take of memory, beside the worker's own. Default 192 MB. */
  readonly parseMemoryMb?: number | undefined
}

/** Of pages that send on by themselves: each is fetched and read like one that was asked for. */
const mostRefreshes = 2
/** A page that says more is one. */
const longestRefresh = 300

/** What robots.txt calls this program. */
const ROBOT_NAME = 'sidelinja-jobs'

/**
 * Makes the reader. Nothing is connected before the first page.
 * @param now the database's time
 * @throws ConfigurationError `ALLOWANCE_INVALID`
 */
export function createWebPages(options: WebPagesOptions, now: () => Promise<Date>): WebPages {
  const { contact, allowLocal, resolve, pdftotextPath = 'pdftotext' } = options
  const { fetchTimeoutMs = 20_000, parseTimeoutMs = 15_000, parseMemoryMb = 192 } = options
  const userAgent = `${ROBOT_NAME} (reads a page that somebody asked for${contact ? `; ${contact}` : ''})`
  const fetchPage = createPageFetch(createSafeFetch({ service: 'web', userAgent, allowLocal, resolve }), {
    timeoutMs: fetchTimeoutMs,
    robot: ROBOT_NAME,
  })
  const readBody = createBodyReader({
    pdftotextPath,
    thread: { timeoutMs: parseTimeoutMs, memoryMb: parseMemoryMb },
    inTurn: createOneAtATime(),
  })
  return Object.freeze({
    async read(request, signal) {
      let fetched = await fetchPage(request, signal)
      let body = await readBody(fetched, signal)
      for (let sent = 0; sent < mostRefreshes; sent++) {
        const next = sentTo(fetched, body)
        if (next === null) break
        // It is still the first address that somebody asked for.
        fetched = { ...(await fetchPage({ ...request, url: next.href }, signal)), requested: fetched.requested }
        body = await readBody(fetched, signal)
      }
      const fetchedAt = await now()
      signal.throwIfAborted()
      return toWebPage(fetched, body, fetchedAt)
    },
  } satisfies WebPages)
}

/** Where a page sends to that says next to nothing itself, as browsers go there without a word. */
function sentTo({ answer }: FetchedPage, { document, text }: ReadBody): URL | null {
  if (answer === undefined || !document?.refresh || text.length > longestRefresh) return null
  const next = URL.parse(document.refresh, answer.url.href)
  if (next !== null) next.hash = ''
  return next === null || next.href === answer.url.href ? null : next
}
