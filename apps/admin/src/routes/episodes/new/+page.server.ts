import { fail, redirect } from '@sveltejs/kit'
import { asUser } from '#lib/as-user.ts'
import { collectionsToActIn } from '#lib/collections.ts'
import { createEpisode } from '#lib/create-episode.ts'
import { db } from '#lib/db.ts'
import { checkEpisodeForm, LANGUAGES, readEpisodeForm } from '#lib/episode-form.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals }) => {
  const { userId } = locals.user ?? redirect(303, '/')
  return { languages: LANGUAGES, collections: await asUser(db, userId, (trx) => collectionsToActIn(trx, userId)) }
}

export const actions: Actions = {
  async default({ locals, request }) {
    const { userId } = locals.user ?? redirect(303, '/')
    const values = readEpisodeForm(await request.formData())
    return asUser(db, userId, async (trx) => {
      const collections = await collectionsToActIn(trx, userId)
      const problems = checkEpisodeForm(
        values,
        collections.map(({ id }) => id),
      )
      if (Object.keys(problems).length > 0) return fail(400, { values, problems })
      return { jobId: await createEpisode(trx, values) }
    })
  },
}
