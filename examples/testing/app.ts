// A small application: what the tests beside it test.
import { defineJob, enqueue, PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'

/** The application's own migration. A real one lies in files, and is run with whatever you migrate with. */
export const migration = 'create table members (email text primary key, welcomed_at timestamptz)'

export type Tables = { members: { email: string; welcomed_at: Date | null } }

/** What sends mail; tests pass one that only remembers. */
export interface Mailer {
  send(to: string, text: string, options: { signal: AbortSignal }): Promise<void>
}

export const welcome = defineJob({ type: 'welcome', payload: z.object({ email: z.email(), name: z.string() }), priority: 10 })
export const remind = defineJob({ type: 'remind', payload: z.object({ email: z.email() }) })

/** The member and their welcome come together or not at all. */
export async function signUp(db: Kysely<Tables>, clubId: string, person: { email: string; name: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('members').values({ email: person.email, welcomed_at: null }).execute()
    await enqueue(trx, welcome, person, { collectionNodeId: clubId })
  })
}

export function createHandlers(mailer: Mailer) {
  const welcomeHandler = defineHandler(welcome, async ({ payload, job, signal, step }) => {
    if (payload.name === '') throw new PermanentError('NAME_EMPTY', 'Expected a name, got an empty text.')
    await step('mail', async () => {
      await mailer.send(payload.email, `Welcome, ${payload.name}!`, { signal })
      return null
    })
    return {
      result: { mailed: payload.email },
      write: async (trx) => {
        await sql`update members set welcomed_at = now() where email = ${payload.email}`.execute(trx)
        const inAWeek = new Date(Date.now() + 7 * 86_400_000)
        await enqueue(trx, remind, { email: payload.email }, { collectionNodeId: job.collectionNodeId, scheduledFor: inAWeek })
      },
    }
  })
  const remindHandler = defineHandler(remind, async ({ payload, signal }) => {
    await mailer.send(payload.email, 'Have you met the others?', { signal })
  })
  return { welcomeHandler, remindHandler }
}
