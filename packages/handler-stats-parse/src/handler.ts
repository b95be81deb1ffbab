import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings, Services } from '@sidelinja/jobs-kit'
import { recordStatistics } from '@sidelinja/jobs-kit/storage'
import { type Counter, createCounter } from './counter.ts'
import { enqueueNext } from './enqueue-next.ts'
import { type Result, statsParse } from './job.ts'
import { createDayClock } from './local-day.ts'
import { type Reading, type RunLimits, readLog } from './read-log.ts'
import { toStatisticsRun } from './statistics-run.ts'
import { loadClassifier } from './user-agents/load-classifier.ts'

/** 64 MiB, 20 seconds, 20,000 listeners: a few seconds of work, and memory that does not grow with the log. */
const RUN_LIMITS: RunLimits = { bytes: 64 * 1024 * 1024, ms: 20_000, listeners: 20_000 }

/** A result has room for so many names; thousands of files would not fit. */
const MOST_NAMED = 20

/**
 * Reads what is new in one Caddy access log, across its rotations, and adds it to the collection's download counts, by the rules of IAB
 * 2.3. Enqueued by its collection's schedule, or by whoever wants fresh counts, as background work; it enqueues the job that goes on where
 * it stopped. Checkpoint, counts and that job commit together, so no line counts twice and none is lost,
 * whatever crashes. Permanent: a path that names no readable log, and a collection that does not say which paths are its media.
 */
export const createHandler = (
  { logs, collections, statistics }: Pick<Services, 'logs' | 'collections' | 'statistics'>,
  limits: RunLimits = RUN_LIMITS,
) =>
  defineHandler(statsParse, async ({ payload, job, signal, progress, log }) => {
    const { collectionNodeId } = job
    const { timeZone, statistics: settings } = await collections.readSettings(collectionNodeId)
    checkMediaPrefixes(settings, collectionNodeId)
    const classify = await loadClassifier(logs, settings.userAgentsPath, (name) =>
      log.warn('A pattern of the list of user agents takes too long and is left out', { name }),
    )

    const now = await statistics.now()
    const clock = createDayClock(timeZone)
    const counter = createCounter({ ...settings, clock, now, classify })

    const path = logs.resolve(payload.logPath).path
    const from = await statistics.readCheckpoint(collectionNodeId, path)
    const readFinished = () => statistics.readFinishedLogs(collectionNodeId, path)
    const reading = await readLog(logs, path, { from, readFinished, counter, limits, nowMs: () => performance.now(), signal, progress })

    const run = toStatisticsRun(counter, { path, from, reading, episodes: settings.episodes, clock, now })
    return {
      write: async (trx) => {
        const { downloads } = await recordStatistics(trx, collectionNodeId, run)
        if (reading.more) await enqueueNext(trx, payload, job)
        return { result: toResult(counter, reading, downloads) }
      },
    }
  })

function checkMediaPrefixes({ mediaPrefixes }: CollectionSettings['statistics'], collectionNodeId: string): void {
  if (mediaPrefixes.length > 0) return
  throw new PermanentError(
    'MEDIA_PREFIXES_MISSING',
    `Collection ${collectionNodeId} names no media folders, so no request can be told to be an episode. Expected statistics.mediaPrefixes in its settings (metadata.jobs of its node), for example ["/media/"]; set it and retry the job.`,
  )
}

function toResult({ lines, counted, skipped, listeners }: Counter, reading: Reading, downloads: number): Result {
  const { malformed, missing, more } = reading
  const files = reading.files.slice(-MOST_NAMED)
  const unreadable = reading.unreadable.slice(0, MOST_NAMED)
  const filesRead = reading.files.length
  return { lines, counted, skipped, malformed, listeners: listeners.size, downloads, filesRead, files, unreadable, missing, more }
}
