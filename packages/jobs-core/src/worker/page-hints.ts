import type { QueueConnection } from '../database/queue-connection.ts'
import { isPageWatched } from '../queue/is-page-watched.ts'
import { notify } from '../queue/notify.ts'
import type { OnWorkerEvent } from './events.ts'
import { type Repetition, repeat } from './repeat.ts'

const channel = 'job_queue_page'
const lookEveryMs = 5_000
const hintEveryMs = 500

/** Tells whoever shows the page that jobs have changed. */
export interface PageHints extends Repetition {
  /** The same listener, and a hint for each event that tells of a job that has changed. */
  before(listener: OnWorkerEvent): OnWorkerEvent
}

/**
 * Sends a hint without data, at most twice a second, and only while somebody watches: apart from the statements that claim and settle, which it costs
 * nothing. A hint that is lost is made up for by the page's own polling.
 */
export function startPageHints(queue: QueueConnection, times = { lookEveryMs, hintEveryMs }): PageHints {
  let watched = false
  let timer: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY
  const watch = repeat(
    times.lookEveryMs,
    async () => {
      watched = await isPageWatched(queue)
    },
    // The claim loop reports a database that is away; a table that is not there yet is a database whose pages watch nothing.
    () => {
      watched = false
    },
  )
  watch.soon()
  const hint = () => {
    timer = undefined
    last = performance.now()
    notify(queue, channel).catch(() => {})
  }
  return {
    before: (listener) => (event) => {
      if (watched && event.name.startsWith('job.') && event.name !== 'job.log') {
        timer ??= setTimeout(hint, Math.max(0, last + times.hintEveryMs - performance.now())).unref()
      }
      listener(event)
    },
    async stop() {
      if (timer) {
        clearTimeout(timer)
        // Not waited for: a database that is away must not hold up the stop.
        hint()
      }
      await watch.stop()
    },
  }
}
