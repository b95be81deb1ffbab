import { defineJob, type ScheduleOptions } from '@sidelinja/jobs-core'
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
  | 'preload'
  | 'probe'
  | 'empty'
  | 'unplaced'
  | 'bot'
  | 'watch'
  | 'no_address'
  | 'too_late'

/** What a `stats_parse` job leaves in `job_queue.result`: never an address, a user agent, or a word of a line. */
export type Result = {
  /** Lines read by this run; always `counted` plus the sum of `skipped`. */
  lines: number
  /** Requests that were merged into a listener's day. They become downloads when the listener has received enough of the file. */
  counted: number
  /** Lines left out, by reason; reasons without lines are absent. `too_late` means that the day's salt is gone. */
  skipped: Partial<Record<SkipReason, number>>
  /** The first malformed lines, at most five: the file, the byte at which the line begins (unpacked), and its shape without its words. */
  malformed: { file: string; offset: number; shape: string }[]
  /** Listeners seen by this run: one for each day, episode, address and user agent. */
  listeners: number
  /** Listeners that became downloads with this run. */
  downloads: number
  filesRead: number
  /** What was read, in order, the last twenty; offsets are in unpacked bytes. `damaged`: it broke off, or could not be unpacked any further. */
  files: { path: string; fromOffset: number; offset: number; damaged: boolean }[]
  /** Rotated files that lie there and cannot be read, the first twenty; every run after a rotation tries them again. */
  unreadable: string[]
  /** True when the file that the run before left half read is nowhere any more: its remaining lines are lost. */
  missing: boolean
  /** True when the run stopped at its bound with lines left. Another job has been enqueued that goes on. */
  more: boolean
}

/**
 * The unique key of a log's waiting job, `until: 'claimed'`. The handler uses it for what it enqueues itself, and its schedule too; who enqueues
 * with it never has two jobs waiting for one log.
 */
export function statsParseKey({ logPath }: Payload): string {
  return `log:${logPath}`
}

/** Reads what is new in one Caddy access log and adds it to the collection's download counts. Background work: priority 1. */
export const statsParse = defineJob({ type: 'stats_parse', payload, priority: 1, maxAttempts: 3, timeoutMs: 10 * 60_000 })

/** What {@link statsParseSchedule} is given. */
export interface StatsParseScheduleOptions {
  /** The collection whose downloads are counted. */
  collectionNodeId: string
  /** As in the payload. */
  logPath: string
  /** How far apart the runs are, in minutes, 1 … 527,040. Default 15. */
  everyMinutes?: number
}

/**
 * A collection's schedule for `upsertSchedule`: reads the log now and every so many minutes. A run that fails for good, or is lost with its worker,
 * does not end it. Its jobs have the log's unique key, as those that go on with a long log have: of a log at most one job waits. A collection
 * with a second log needs another name for that: `{ ...statsParseSchedule(…), name: 'statistics of feeds' }`.
 */
export function statsParseSchedule({ collectionNodeId, logPath, everyMinutes = 15 }: StatsParseScheduleOptions): ScheduleOptions<Payload> {
  return {
    ...{ collectionNodeId, name: 'statistics', job: statsParse, payload: { logPath } },
    ...{ everySeconds: everyMinutes * 60, unique: { key: statsParseKey({ logPath }) } },
  }
}
