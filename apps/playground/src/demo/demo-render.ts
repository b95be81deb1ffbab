import { setTimeout as sleep } from 'node:timers/promises'
import { defineJob, PermanentError, TransientError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'

const SECOND_MS = 1_000
/** So long that it is still to be seen. */
const RETRY_AFTER_MS = 3_600_000
const MAX_SECONDS = 540

const payload = z.strictObject({
  /** What it pretends to render. */
  title: z.string().min(1).max(100),
  seconds: z.int().min(0).max(MAX_SECONDS),
  /** What becomes of its first run. */
  firstRun: z.enum(['succeeds', 'fails', 'fails for now']).default('succeeds'),
})

/** A job to look at on the admin page: it counts seconds, and fails when it is told to. */
export const demoRender = defineJob({ type: 'demo_render', payload, maxAttempts: 3 })

/** Whatever the payload says of the first run, a later one succeeds. */
export const demoRenderHandler = defineHandler(demoRender, async ({ payload: { title, seconds, firstRun }, job, signal, progress }) => {
  if (job.run === 1 && firstRun === 'fails') {
    throw new PermanentError(
      'DEMO_FAILED',
      `${title} was not rendered: the demo is told to fail the first time. Retry it: then it succeeds.`,
    )
  }
  if (job.run === 1 && firstRun === 'fails for now') {
    const message = `${title} was not rendered yet: the demo is told to be tried again in an hour. Retry it now: then it succeeds.`
    throw new TransientError('DEMO_FAILED', message, { retryAfterMs: RETRY_AFTER_MS })
  }
  for (let second = 0; second < seconds; second++) {
    progress(second / seconds, `Gjengir ${title}`)
    await sleep(SECOND_MS, undefined, { signal })
  }
  return { result: { title, seconds } }
})
