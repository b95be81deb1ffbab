import type { ServicesConfig } from '../../../services.ts'
import { type Answer, textAnswer } from '../server/answer.ts'
import type { StandIn, StandInOptions } from '../server/stand-in.ts'
import { startStandIn } from '../server/start-stand-in.ts'

/** A page of a site: its HTML, or a whole answer. */
export type SitePage = string | Partial<Answer>

/** What the site has. */
export interface SiteStandInOptions extends StandInOptions {
  /** By path, without query. What is not there is a 404. */
  pages: Readonly<Record<string, SitePage>>
}

/** A running site. */
export interface SiteStandIn extends StandIn {
  /**
   * What lets `createServices` reach this site, by any name, and nothing else inside: `createServices({ db, web: site.web })`. Every name leads here then; those in `names` to other addresses.
   */
  readonly web: NonNullable<ServicesConfig['web']>
  /** From now on these pages are there, too. */
  setPages(pages: Readonly<Record<string, SitePage>>): void
  /** Names that lead elsewhere, and where to: an IP address, or several. */
  readonly names: Map<string, string | readonly string[]>
  /** The address of a page, by a name that leads here. */
  address(path: string, name?: string): string
}

/** A web site for tests and demonstrations. */
export async function startSiteStandIn(options: SiteStandInOptions): Promise<SiteStandIn> {
  const pages = new Map(Object.entries(options.pages))
  const names = new Map<string, string | readonly string[]>()
  const standIn = await startStandIn(
    {
      describe: () => `a stand-in for a web site: ${pages.size === 1 ? 'one page' : `${pages.size} pages`}`,
      receive: async () => {},
      answer: async ({ path }) => toAnswer(pages.get(path)),
    },
    options,
  )
  const { host, port } = new URL(standIn.url)
  const resolve = async (name: string) =>
    [names.get(name) ?? '127.0.0.1'].flat().map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return Object.assign(standIn, {
    web: { allowLocal: [host], resolve },
    names,
    setPages(more: Readonly<Record<string, SitePage>>) {
      for (const [path, page] of Object.entries(more)) pages.set(path, page)
    },
    address: (path: string, name = 'site.example') => `http://${name}:${port}${path}`,
  })
}

function toAnswer(page: SitePage | undefined): Answer {
  if (page === undefined) return textAnswer(404, 'Not found')
  if (typeof page === 'string') return textAnswer(200, page, 'text/html; charset=utf-8')
  return { status: 200, headers: {}, body: '', ...page }
}
