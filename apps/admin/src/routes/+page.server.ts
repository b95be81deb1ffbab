import { fail, redirect } from '@sveltejs/kit'
import { signIn, signOut } from '#lib/session.server.ts'
import { ADMIN_DEMO_USERS } from '$app/env/private'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = () => ({ choices: ADMIN_DEMO_USERS.map(({ name, userId }) => ({ name, userId })) })

export const actions: Actions = {
  async signIn(event) {
    const userId = (await event.request.formData()).get('userId')
    if (typeof userId === 'string' && signIn(event, userId)) redirect(303, '/')
    return fail(400, { problem: 'Velg en bruker fra lista.' })
  },
  signOut(event) {
    signOut(event)
    redirect(303, '/')
  },
}
