import { redirect } from '@sveltejs/kit'
import type { ProblemBody, Source, Sources } from '../../page/wire/page-data.ts'
import type { AdminEvent } from '../admin-event.ts'
import { admit, isAuthorized, isProblem } from '../admit.ts'
import type { Inquiry } from '../inquiry.ts'
import type { Route } from '../route.ts'
import { askRoute, type Reply } from './ask-route.ts'
import { createPageActions } from './page-actions.ts'
import { endpointQuery } from './page-query.ts'
import type { JobsPage, PageParts } from './page-types.ts'
import { askedPrefs, readPrefs, rememberPrefs } from './prefs.ts'
import { matchScreen, type Screen } from './screens.ts'

/** The page's `load` and `actions`: they ask the endpoints as the user who asks for the page. */
export function createPage<Event extends AdminEvent>(parts: PageParts<Event>): JobsPage<Event> {
  return {
    async load(event) {
      const inquiry = parts.inquire(event)
      const { settings } = inquiry.services
      const prefs = readPrefs(event.cookies)
      const asked = askedPrefs(event.url.searchParams, prefs)
      if (asked) {
        rememberPrefs(event.cookies, asked, { path: settings.mounts.base, secure: event.url.protocol === 'https:' })
        redirect(303, withoutSettings(event.url))
      }
      const identity = await admit(inquiry, 'view')
      const path = pathBelow(event.url.pathname, settings.mounts.base)
      const screen: Screen = isProblem(identity) ? { name: 'missing', sources: [] } : matchScreen(path)
      const now = new Date()
      const query = endpointQuery(event.url.searchParams, { now: now.getTime(), timeZone: prefs.timeZone })
      const sources = await readSources(inquiry, parts.routes, screen, query)
      const status = isProblem(identity) ? identity.status : statusOf(screen, sources)
      if (status !== 200) parts.noteStatus(event.request, status)
      const mayAct = !isProblem(identity) && (await isAuthorized(inquiry, identity, 'act'))
      const where = { screen: screen.name, ...settings.mounts, path, query: event.url.searchParams.toString() }
      return { jobs: { ...where, now: now.toISOString(), prefs, mayAct, sources } }
    },
    actions: createPageActions(parts),
  }
}

async function readSources<Event extends AdminEvent>(
  inquiry: Inquiry<Event>,
  routes: readonly Route[],
  screen: Screen,
  query: URLSearchParams,
): Promise<Sources> {
  const { base } = inquiry.services.settings.mounts
  const entries: [string, Source<unknown>][] = []
  let away: ProblemBody | undefined
  // One after the other: a page has one connection at a time, and the first answer may be a look that stands in the audit.
  for (const { name, path, takesQuery = false } of screen.sources) {
    const asked = takesQuery ? query : new URLSearchParams()
    // Without a database each further question would wait as long as the first.
    const reply: Reply = away ? { problem: away } : await askRoute(inquiry, routes, { method: 'GET', under: 'base', path, query: asked })
    if ('problem' in reply && isAway(reply.problem)) away = reply.problem
    const text = asked.toString()
    const address = `${base}${path}${text === '' ? '' : `?${text}`}`
    const found = 'problem' in reply ? { etag: null, body: null, problem: reply.problem } : { ...reply, problem: null }
    entries.push([name, { path: address, ...found }])
  }
  return Object.fromEntries(entries) as Sources
}

function isAway(problem: ProblemBody | null): boolean {
  return problem?.code === 'DATABASE_AWAY'
}

function statusOf({ name, main }: Screen, sources: Sources): number {
  if (name === 'missing') return 404
  return (main && sources[main]?.problem?.status) ?? 200
}

function pathBelow(pathname: string, base: string): string {
  const path = decodeURI(pathname)
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1).replace(/\/$/, '') : ''
}

function withoutSettings({ pathname, searchParams }: URL): string {
  const rest = new URLSearchParams([...searchParams].filter(([name]) => !name.startsWith('set_'))).toString()
  return `${pathname}${rest === '' ? '' : `?${rest}`}`
}
