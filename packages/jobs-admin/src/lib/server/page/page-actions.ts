import { fail, redirect } from '@sveltejs/kit'
import type { ActionOutcome } from '../../page/wire/page-data.ts'
import type { AdminEvent } from '../admin-event.ts'
import { askRoute, type Reply } from './ask-route.ts'
import { endpointQuery } from './page-query.ts'
import type { PageActions, PageAnswer, PageEvent, PageParts } from './page-types.ts'
import { readPrefs } from './prefs.ts'

/** Form actions: each posts to the endpoint of the same meaning. The handle has made sure that it is a form of this page, of who may act. */
export function createPageActions<Event extends AdminEvent>(parts: PageParts<Event>): PageActions<Event & PageEvent> {
  const post = async (event: Event, path: string, body: object) => {
    const inquiry = parts.inquire(event)
    return { inquiry, reply: await askRoute(inquiry, parts.routes, { method: 'POST', under: 'intentions', path, body }) }
  }
  const simple = (action: string, path: string, names: readonly string[]) => async (event: Event & PageEvent) => {
    const { reply } = await post(event, path, textsOf(await event.request.formData(), names))
    return answer(action, reply)
  }
  const { retry, cancel } = {
    retry: async (event: Event & PageEvent) => {
      const form = await event.request.formData()
      const body = { ...textsOf(form, ['job_id', 'reason']), ...(form.get('fresh') === 'true' && { fresh: true }) }
      return answer('retry', (await post(event, '/retry_job', body)).reply)
    },
    cancel: simple('cancel', '/cancel_job', ['job_id', 'reason']),
  }
  return {
    retry,
    cancel,
    pause: simple('pause', '/pause_jobs', ['collection_id', 'type', 'reason']),
    resume: simple('resume', '/resume_jobs', ['collection_id', 'type', 'reason']),
    ignore: simple('ignore', '/ignore_errors', ['type', 'error_group', 'reason']),
    unignore: simple('unignore', '/unignore_errors', ['type', 'error_group', 'reason']),
    async preview(event) {
      const { reply } = await post(event, '/preview_bulk', bulkRequest(await event.request.formData(), event))
      return thenShowBulk(event, 'preview', reply, parts)
    },
    async run(event) {
      const form = textsOf(await event.request.formData(), ['bulk_id'])
      return thenShowBulk(event, 'run', (await post(event, '/run_bulk', form)).reply, parts)
    },
    async abort(event) {
      const { reply } = await post(event, '/abort_bulk', textsOf(await event.request.formData(), ['bulk_id']))
      return thenShowBulk(event, 'abort', reply, parts)
    },
  }
}

/** Preview, progress and receipt are one page, which can be read again. */
function thenShowBulk<Event extends AdminEvent>(event: Event, action: string, reply: Reply, parts: PageParts<Event>): PageAnswer {
  if ('problem' in reply) return answer(action, reply)
  const { bulk_id } = reply.body as { bulk_id: string }
  redirect(303, `${parts.inquire(event).services.settings.mounts.base}/bulk/${bulk_id}`)
}

function answer(action: string, reply: Reply): PageAnswer {
  if ('problem' in reply) return fail(reply.problem.status, { jobs: { action, problem: reply.problem } })
  return { jobs: { action, done: reply.body as NonNullable<ActionOutcome['done']> } }
}

/** Fields of a form that are not empty. */
function textsOf(form: FormData, names: readonly string[]): Record<string, string> {
  const texts = names.map((name) => [name, form.get(name)] as const)
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''))
}

/** The chosen rows, or everything that the query of the form fits. */
function bulkRequest(form: FormData, event: PageEvent): object {
  const about = { ...textsOf(form, ['action', 'reason']), ...(form.get('fresh') === 'true' && { fresh: true }) }
  if (form.get('scope') !== 'all') return { ...about, job_ids: form.getAll('job_ids') }
  const given = new URLSearchParams(String(form.get('query') ?? ''))
  const query = endpointQuery(given, { now: Date.now(), timeZone: readPrefs(event.cookies).timeZone })
  const filter: Record<string, string | string[]> = {}
  for (const name of new Set(query.keys())) {
    if (['limit', 'offset', 'cursor'].includes(name)) continue
    const values = query.getAll(name).flatMap((value) => (name === 'status' || name === 'type' ? value.split(',') : [value]))
    filter[name] = name === 'status' || name === 'type' ? values : (values[0] ?? '')
  }
  return { ...about, filter }
}
