import { fail, redirect } from '@sveltejs/kit'
import { signIn, signOut } from '#lib/session.server.ts'
import type { Actions } from './$types'

export const actions: Actions = {
  async signIn(event) {
    const form = await event.request.formData()
    const userId = form.get('userId')
    // Not to the address they were at: what was shown there may be another user's.
    if (typeof userId === 'string' && signIn(event, userId)) redirect(303, form.get('from') === 'jobs' ? '/admin/jobs' : '/')
    return fail(400, { problem: 'Velg en bruker fra lista.' })
  },
  signOut(event) {
    signOut(event)
    redirect(303, '/')
  },
}
