import { readFile } from 'node:fs/promises'
import { type SiteStandIn, startSiteStandIn } from '@sidelinja/jobs-kit/testing'

/** Where the sample page is on its site. */
export const SAMPLE_PAGE = '/fyret'

/** A site of one page, on a port of 127.0.0.1. */
export async function serveSamplePage(): Promise<SiteStandIn> {
  const page = await readFile(new URL('../../samples/texts/fyret.html', import.meta.url), 'utf8')
  return startSiteStandIn({ pages: { [SAMPLE_PAGE]: page } })
}
