import { defineJob, enqueue, PermanentError, SnoozeError } from '@sidelinja/jobs-core'
import { defineHandler, type Handler, type HandlerContext } from '@sidelinja/jobs-core/worker'
import { sql } from 'kysely'
import type { Note } from '../history/process-log.ts'
import type { AtMoment } from './kill-at.ts'
import { type Payload, payload } from './payload.ts'

type Context = HandlerContext<Payload>

/** One handler for each thing a job can do. Every one writes down that it began and what it did outside the database. */
export function createHandlers(note: (note: Note) => void, at: AtMoment): Handler[] {
  const definition = (type: string) => defineJob({ type, payload, timeoutMs: 600_000 })
  const handler = (type: string, after: (context: Context) => ReturnType<Handler['run']>) =>
    defineHandler(definition(type), async (context) => {
      await perform(context)
      return after(context)
    })

  async function perform({ payload: { ms }, job, signal }: Context): Promise<void> {
    note({ kind: 'start', job: job.id, run: job.run })
    at('start')
    await pause(ms / 2, signal)
    at('middle')
    note({ kind: 'effect', job: job.id, run: job.run })
    at('effect')
    await pause(ms / 2, signal)
  }

  return [
    handler('chaos_plain', async () => undefined),
    handler('chaos_write', async ({ job }) => ({
      write: async (trx) => {
        note({ kind: 'write', job: job.id, run: job.run })
        await sql`insert into chaos_writes values (${job.id}, ${job.run})`.execute(trx)
        at('write')
        await enqueue(
          trx,
          definition('chaos_plain'),
          { ms: 0 },
          { collectionNodeId: job.collectionNodeId, correlationId: `follow:${job.id}` },
        )
      },
    })),
    handler('chaos_steps', async ({ job, step }) => {
      const call = (name: string) =>
        step(name, async () => {
          note({ kind: 'step', job: job.id, run: job.run, what: name })
          return name
        })
      return { result: [await call('one'), await call('two')] }
    }),
    handler('chaos_retry', async ({ job }) => {
      if (job.attempt === 1) throw new Error('fails the first time, as it should')
      return undefined
    }),
    handler('chaos_snooze', async ({ job }) => {
      if (job.run === 1) throw new SnoozeError(1_000, 'comes back later, as it should')
      return undefined
    }),
    handler('chaos_refuse', async () => {
      throw new PermanentError('CHAOS_REFUSED', 'fails for good, as it should')
    }),
    handler('chaos_exhaust', async () => {
      throw new Error('fails every time, as it should')
    }),
  ]
}

/** Ends early, by throwing, when the signal says so. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
