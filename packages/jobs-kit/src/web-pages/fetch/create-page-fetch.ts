import { isJobsError } from '@sidelinja/jobs-core'
import { refusedCall } from '../../http/upstream-errors.ts'
import { addressRefused } from '../../safe-fetch/refusals.ts'
import { type AnswerHead, type FetchedAnswer, NotAsked, type SafeFetch } from '../../safe-fetch/safe-fetch.ts'
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
/** Where a robots.txt that sends in circles, or inside, ends. */
const nowhere = ['TOO_MANY_REDIRECTS', 'ADDRESS_REFUSED']
/** Below 500, and yet worth another try. */
const temporary = [408, 421, 425, 429]

/** Asks for one page, and before that, where nobody asked for the page just now, for the robots.txt of its site and of each that it sends to. */
export function createPageFetch(fetcher: SafeFetch, { timeoutMs, robot }: PageFetchOptions) {
  return async ({ url: text, automated = false }: PageRequest, signal: AbortSignal): Promise<FetchedPage> => {
    const requested = URL.parse(text)
    if (requested === null) throw addressRefused(new URL('about:blank'), 'it is no address')
    const rules = new Map<string, string>()
    const mayAsk = automated ? (url: URL) => isAllowed(url, rules, signal) : undefined
    const answer = await fetcher.get(requested, { accept, timeoutMs, limit: limitOf, mayAsk, signal }).catch((error) => {
      if (error instanceof NotAsked) return undefined
      throw error
    })
    if (answer === undefined) return { requested, answer, obstacle: 'robots' }
    const obstacle = obstacleOfAnswer({ requested, ...answer } satisfies AnsweredHead)
    if (obstacle === 'refused' && isTemporary(answer)) throw refusal(answer)
    if (obstacle === null) checkPage(answer)
    return { requested, answer, obstacle }
  }

  /** By the site's robots.txt, which is asked for once for a page. */
  async function isAllowed(url: URL, rules: Map<string, string>, signal: AbortSignal): Promise<boolean> {
    const known = rules.get(url.origin) ?? (await readRules(url, signal))
    rules.set(url.origin, known)
    return mayRead(known, robot, url)
  }

  /** A site without one allows everything, as does one whose file is nowhere to be had (RFC 9309, 2.3.1); one that cannot tell just now nothing, so this is tried again. */
  async function readRules(url: URL, signal: AbortSignal): Promise<string> {
    try {
      const robots = await fetcher.get(new URL('/robots.txt', url), {
        ...{ accept: 'text/plain', timeoutMs, limit: () => MAX_ROBOTS_BYTES, signal },
      })
      if (isTemporary(robots)) throw refusal(robots)
      return robots.status >= 300 ? '' : robots.body.toString('utf8')
    } catch (error) {
      if (isJobsError(error) && nowhere.includes(error.code)) return ''
      throw error
    }
  }

  function refusal({ url, status, headers }: AnswerHead): Error {
    return refusedCall({ service: 'web', method: 'GET', url, timeoutMs }, { status, headers, text: '' })
  }
}

function isTemporary({ status, headers }: AnswerHead): boolean {
  return (status >= 500 || temporary.includes(status)) && headers['cf-mitigated'] === undefined
}
