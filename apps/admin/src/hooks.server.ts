import { pageLang } from '@sidelinja/jobs-admin/server'
import { type Handle, sequence } from '@sveltejs/kit/hooks'
import { closeJobs, jobs } from '#lib/jobs.server.ts'
import { userOf } from '#lib/session.server.ts'
import { ADMIN_DEMO_USERS } from '$app/env/private'

/** On every answer; jobs-admin has more for its own. */
const HEADERS = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' }

const session: Handle = async ({ event, resolve }) => {
  event.locals.user = userOf(event)
  const response = await resolve(event, {
    transformPageChunk: ({ html }) => html.replace('<html lang="nb">', `<html lang="${pageLang(event.cookies)}">`),
  })
  for (const [name, value] of Object.entries(HEADERS)) if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

export const handle: Handle = sequence(session, jobs.handle)

export function init(): void {
  if (ADMIN_DEMO_USERS.length > 0) console.warn('ADMIN_DEMO_USERS is set: whoever reaches this server can sign in, without a password.')
  // SvelteKit's own event, which Node's types do not know.
  process.once('sveltekit:shutdown' as 'exit', closeJobs)
}
