import type { Cookies, RequestEvent } from '@sveltejs/kit'
import { ADMIN_DEMO_USERS } from '$app/env/private'
import type { DemoUser } from './demo-users.ts'
import { createSessions, SESSION_MS } from './sessions.ts'

const sessions = createSessions()

type WithCookies = Pick<RequestEvent, 'cookies' | 'url'>

/** Who is signed in, by the session as it is now: also asked again while a stream is open. */
export function userOf({ cookies, url }: WithCookies): DemoUser | null {
  const userId = sessions.userIdOf(cookies.get(cookieName(url)))
  return ADMIN_DEMO_USERS.find((user) => user.userId === userId) ?? null
}

/** Begins a session; one that the browser had before ends. False: there is no such user. */
export function signIn({ cookies, url }: WithCookies, userId: string): boolean {
  if (!ADMIN_DEMO_USERS.some((user) => user.userId === userId)) return false
  sessions.end(cookies.get(cookieName(url)))
  cookies.set(cookieName(url), sessions.begin(userId), { ...attributes(url), maxAge: SESSION_MS / 1_000 })
  return true
}

/** Ends the session. */
export function signOut({ cookies, url }: WithCookies): void {
  sessions.end(cookies.get(cookieName(url)))
  cookies.delete(cookieName(url), attributes(url))
}

/** Browsers take a cookie of this prefix only over https, from this host alone. */
function cookieName(url: URL): string {
  return url.protocol === 'https:' ? '__Host-sidelinja-admin' : 'sidelinja-admin'
}

function attributes(url: URL): Parameters<Cookies['set']>[2] {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: url.protocol === 'https:' }
}
