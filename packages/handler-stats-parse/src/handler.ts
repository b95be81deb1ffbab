import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings, Services } from '@sidelinja/jobs-kit'
import { recordStatistics } from '@sidelinja/jobs-kit/storage'
import { createCounter } from './counter.ts'
import { type Result, statsParse } from './job.ts'
import { createDayClock } from './local-day.ts'
import { readLog } from './read-log.ts'
import { toStatisticsRun } from './statistics-run.ts'

/**
 * Reads what is new in one Caddy access log and adds it to the collection's download counts, by the rules of IAB 2.3. Enqueued by
 * whoever wants fresh counts, as background work. Checkpoint and counts commit together, so no line counts twice and none is lost,
 * whatever crashes. Permanent: a path that names no readable log, and a collection that does not say which paths are its media.
 */
export const createHandler = ({ logs, collections, statistics }: Pick<Services, 'logs' | 'collections' | 'statistics'>) =>
  defineHandler(statsParse, async ({ payload, job, signal, progress }) => {
    const log = logs.resolve(payload.logPath)
    const settings = await collections.readSettings(job.collectionNodeId)
    checkMediaPrefixes(settings, job.collectionNodeId)

    const now = await statistics.now()
    const clock = createDayClock(settings.timeZone)
    const counter = createCounter({ ...settings.statistics, clock, now })

    const from = await statistics.readCheckpoint(job.collectionNodeId, log.path)
    const reading = await readLog(log, { from, counter, signal, progress })

    const result: Result = {
      lines: counter.lines,
      counted: counter.counted,
      skipped: counter.skipped,
      listeners: counter.size,
      fromOffset: reading.fromOffset,
      offset: reading.to.byteOffset,
      size: reading.to.size,
      more: reading.more,
    }
    const run = toStatisticsRun(counter, { checkpoint: { from, to: reading.to }, episodes: settings.statistics.episodes, clock, now })
    return { result, write: (trx) => recordStatistics(trx, job.collectionNodeId, run) }
  })

function checkMediaPrefixes({ statistics }: CollectionSettings, collectionNodeId: string): void {
  if (statistics.mediaPrefixes.length > 0) return
  throw new PermanentError(
    'MEDIA_PREFIXES_MISSING',
    `Collection ${collectionNodeId} names no media folders, so no request can be told to be an episode. Expected statistics.mediaPrefixes in its settings, for example ["/media/"]; set it and retry the job.`,
  )
}
