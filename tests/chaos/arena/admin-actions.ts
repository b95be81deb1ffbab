import { isJobsError } from '@sidelinja/jobs-core'
import { cancelJob, retryJob } from '@sidelinja/jobs-core/admin'
import type { Pool } from 'pg'
import type { Note } from '../history/process-log.ts'

/** Cancels a job and writes down what was answered: before, that it is not known, for the one who is killed while asking. */
export async function cancel(pool: Pool, id: string, note: (note: Note) => void): Promise<void> {
  await act({ id, name: 'cancel', note }, () => cancelJob(pool, id, 'all'))
}

/** Retries a job; likewise. */
export async function retry(pool: Pool, id: string, note: (note: Note) => void): Promise<void> {
  await act({ id, name: 'retry', note }, async () => {
    await retryJob(pool, id, 'all')
    return 'done'
  })
}

interface Action {
  id: string
  name: 'cancel' | 'retry'
  note: (note: Note) => void
}

async function act({ id, name, note }: Action, run: () => Promise<string>): Promise<void> {
  const say = (what: string) => note({ kind: 'answer', job: id, what: `${name}:${what}` })
  say('asked')
  try {
    say(await run())
  } catch (error) {
    if (!isJobsError(error)) throw error
    say(error.code)
  }
}
