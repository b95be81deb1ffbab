import type { AdminEvent, AdminHandle } from './admin-event.ts'
import { admit, isProblem, refuseForeign, refuseTooMany } from './admit.ts'
import { prefersJson } from './http/prefers-json.ts'
import { type Problem, problemResponse } from './http/problem.ts'
import { secureData, securePage } from './http/security-headers.ts'
import { type Inquiry, reportedProblem } from './inquiry.ts'
import { readerOf } from './refusal/reader.ts'
import { refusalPage } from './refusal/refusal-page.ts'

type Resolve<Event extends AdminEvent> = Parameters<AdminHandle<Event>>[0]['resolve']

/** Lets SvelteKit answer with a page, or run one of its form actions, for who may. */
export async function answerPage<Event extends AdminEvent>(
  inquiry: Inquiry<Event>,
  resolve: Resolve<Event>,
  notedStatus: () => number | undefined = () => undefined,
): Promise<Response> {
  const refusal = await refusalOfPage(inquiry).catch((error: unknown) => reportedProblem(inquiry, error))
  if (!refusal) return securePage(await withStatus(inquiry, await resolve(inquiry.event), notedStatus()))
  const { event, facts, services } = inquiry
  if (event.isDataRequest || prefersJson(facts.headers.get('accept'))) return secureData(problemResponse(refusal))
  if (refusal.status === 401 && services.settings.signIn && isSafe(facts.method)) return securePage(seeOther(services.settings.signIn))
  return securePage(refused(inquiry, refusal))
}

/** A page about something that is not there is shown as ours, and not with a 200. SvelteKit's client asks for data, where it would be an error. */
async function withStatus<Event extends AdminEvent>({ event }: Inquiry<Event>, response: Response, status?: number): Promise<Response> {
  if (status === undefined || event.isDataRequest || response.status !== 200 || !isSafe(event.request.method)) return response
  return new Response(response.body, { status, headers: response.headers })
}

async function refusalOfPage<Event extends AdminEvent>(inquiry: Inquiry<Event>): Promise<Problem | undefined> {
  const foreign = refuseForeign(inquiry, 'form')
  if (foreign) return foreign
  const viewer = await admit(inquiry, 'view')
  if (isProblem(viewer)) return viewer
  if (isSafe(inquiry.facts.method)) return undefined
  const actor = await admit(inquiry, 'act')
  return isProblem(actor) ? actor : refuseTooMany(inquiry, 'single', actor)
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}

function refused<Event extends AdminEvent>({ event, facts, services }: Inquiry<Event>, problem: Problem): Response {
  const { pathname, search } = event.url
  // A form is sent again from its page, which lies at the same path. Two slashes would name another host.
  const again = pathname.startsWith('//') ? services.settings.mounts.base : isSafe(facts.method) ? pathname + search : pathname
  return refusalPage(problem, { ...readerOf(facts.headers), again, signIn: services.settings.signIn })
}
