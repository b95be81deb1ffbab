import { refusedCall } from '../../http/upstream-errors.ts'
import { addressRefused } from '../../safe-fetch/refusals.ts'
import type { AnswerHead, FetchedAnswer, SafeFetch } from '../../safe-fetch/safe-fetch.ts'
import { type AnsweredHead, obstacleOfAnswer } from '../judge/obstacle-of.ts'
import type { Obstacle, PageRequest } from '../web-page.ts'
import { checkPage, limitOf } from './page-limits.ts'
import { MAX_ROBOTS_BYTES, mayRead } from './robots/read-robots.ts'

/** What came of asking for a page. */
export interface FetchedPage {
  readonly requested: URL
  /** Undefined: robots.txt forbade to ask. */
  readonly answer: FetchedAnswer | undefined
  /** Known before anything of its body is read. */
  readonly obstacle: Obstacle | null
}

/** Who asks, and how long. */
interface PageFetchOptions {
  readonly timeoutMs: number
  readonly robot: string
}

const accept = 'text/html, application/xhtml+xml, application/pdf;q=0.9, text/plain;q=0.8, text/markdown;q=0.8'
/** Below 500, and yet worth another try. */
const temporary = [408, 421, 425, 429]

/** Asks for one page, and for its site's robots.txt before, where nobody asked for the page just now. */
export function createPageFetch(fetcher: SafeFetch, { timeoutMs, robot }: PageFetchOptions) {
  return async ({ url: text, automated = false }: PageRequest, signal: AbortSignal): Promise<FetchedPage> => {
    const requested = URL.parse(text)
    if (requested === null) throw addressRefused(new URL('about:blank'), 'it is no address')
    const mayAsk = async (url: URL) => !automated || (await isAllowed(url, signal))
    if (!(await mayAsk(requested))) return { requested, answer: undefined, obstacle: 'robots' }
    const answer = await fetcher.get(requested, { accept, timeoutMs, limit: limitOf, signal })
    const obstacle = obstacleOfAnswer({ requested, ...answer } satisfies AnsweredHead)
    if (obstacle === 'refused' && isTemporary(answer)) throw refusal(answer)
    if (answer.url.origin !== requested.origin && !(await mayAsk(answer.url))) return { requested, answer: undefined, obstacle: 'robots' }
    if (obstacle === null) checkPage(answer)
    return { requested, answer, obstacle }
  }

  /** By the site's robots.txt: a site without one allows everything, one that cannot tell just now nothing, so this is tried again. */
  async function isAllowed(url: URL, signal: AbortSignal): Promise<boolean> {
    const robots = await fetcher.get(new URL('/robots.txt', url), {
      accept: 'text/plain',
      timeoutMs,
      limit: () => MAX_ROBOTS_BYTES,
      signal,
    })
    if (isTemporary(robots)) throw refusal(robots)
    return robots.status >= 300 || mayRead(robots.body.toString('utf8'), robot, url)
  }

  function refusal({ url, status, headers }: AnswerHead): Error {
    return refusedCall({ service: 'web', method: 'GET', url, timeoutMs }, { status, headers, text: '' })
  }
}

function isTemporary({ status, headers }: AnswerHead): boolean {
  return (status >= 500 || temporary.includes(status)) && headers['cf-mitigated'] === undefined
}
