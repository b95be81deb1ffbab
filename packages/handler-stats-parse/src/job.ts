import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z.object({
  /** The access log, relative to the worker's LOG_ROOT: at most 500 characters, for example `access.log`. */
  logPath: z.string().min(1).max(500),
})

/** What a `stats_parse` job is given. */
export type Payload = z.infer<typeof payload>

/** Why a line counts nothing; docs of each in this package's README. */
export type SkipReason =
  | 'blank'
  | 'malformed'
  | 'too_long'
  | 'other_logger'
  | 'method'
  | 'status'
  | 'not_media'
  | 'probe'
  | 'empty'
  | 'unplaced'
  | 'bot'
  | 'watch'
  | 'no_address'
  | 'too_late'

/** What a `stats_parse` job leaves in `job_queue.result`: numbers only, never an address, a user agent or a line. */
export type Result = {
  /** Whole lines read by this run; always `counted` plus the sum of `skipped`. */
  lines: number
  /** Requests that were merged into a listener's day. They become downloads when the listener has received enough of the file. */
  counted: number
  /** Lines left out, by reason; reasons without lines are absent. `too_late` means that the day's salt is gone. */
  skipped: Partial<Record<SkipReason, number>>
  /** Listeners seen by this run: one for each day, episode, address and user agent. */
  listeners: number
  /** Where this run began, in bytes. 0 when the file is new, or no longer the one that was read before. */
  fromOffset: number
  /** Where the next run begins, in bytes: after the last whole line that was read. */
  offset: number
  /** The file's size in bytes when this run began. */
  size: number
  /** True when the run stopped at its bound with whole lines left: enqueue another. */
  more: boolean
}

/** Reads what is new in one Caddy access log and adds it to the collection's download counts. Background work: priority 1. */
export const statsParse = defineJob({ type: 'stats_parse', payload, priority: 1, maxAttempts: 3, timeoutMs: 10 * 60_000 })
