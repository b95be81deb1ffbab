import type { WriteTransaction } from '@sidelinja/jobs-core/worker'
import { batches } from '../batches.ts'
import type { StorageDatabase } from '../storage-database.ts'
import { addDownloads, type DownloadCount } from './add-downloads.ts'
import { deleteExpiredSalts } from './delete-expired-salts.ts'
import { forgetFinishedLogs } from './forget-finished-logs.ts'
import { insertFinishedLogs } from './insert-finished-logs.ts'
import { insertSalts, type SaltDay } from './insert-salts.ts'
import { byKey, type ListenerGroup, listenerBatches } from './listener-batches.ts'
import { type EpisodeFile, mergeEpisodeFiles } from './merge-episode-files.ts'
import { mergeListenerDays } from './merge-listener-days.ts'
import { type CheckpointMove, moveCheckpoint } from './move-checkpoint.ts'
import { readEpisodeSizes } from './read-episode-sizes.ts'
import { readSalts } from './read-salts.ts'
import { sweepExpiredSalts } from './sweep-expired-salts.ts'

/** So shortly before its salt must go a day gets no new one: the old one may just have been deleted, and its listeners would count again. */
const LAST_SALT_MS = 10 * 60_000

/** Everything one run over a log adds to a collection's statistics. */
export interface StatisticsRun {
  readonly checkpoint: CheckpointMove
  /** The log, relative to LOG_ROOT. */
  readonly path: string
  /** SHA-256 of the heads of the rotated files it has read to their end. */
  readonly finished: readonly Buffer[]
  /** SHA-256 of the heads of all rotated files that are there; what is remembered of others is forgotten. Undefined: nobody looked. */
  readonly present: readonly Buffer[] | undefined
  /** The days its listeners belong to. */
  readonly days: readonly SaltDay[]
  /** Sizes of files it has learnt; each episode once. */
  readonly files: readonly EpisodeFile[]
  /** Each day and episode once. */
  readonly groups: readonly ListenerGroup[]
  /** Bytes that make a download of an episode whose file has this size; undefined while that cannot be said. */
  readonly thresholdBytes: (episode: string, totalBytes: number | undefined) => number | undefined
  /** The database's time. Days whose salt had to go by then are left out. */
  readonly now: Date
}

/** What a run has added. */
export interface RecordedStatistics {
  /** Listeners that have become downloads. */
  downloads: number
}

/**
 * Writes one run: checkpoint, sizes, salts, listeners and counts, in the caller's transaction. Everything is written in one order,
 * so that runs over several logs of a collection wait for each other but never deadlock.
 * @throws TransientError `CHECKPOINT_MOVED` when another run over the same log was first.
 */
export async function recordStatistics(trx: WriteTransaction, collectionNodeId: string, run: StatisticsRun): Promise<RecordedStatistics> {
  await moveCheckpoint(trx, collectionNodeId, run.checkpoint)
  await rememberFiles(trx, collectionNodeId, run)
  const sizes = await learnSizes(trx, collectionNodeId, run)
  const salts = await openSalts(trx, collectionNodeId, run)
  const counts = new Map<string, DownloadCount>()
  for await (const batch of listenerBatches(run, salts, sizes)) {
    for (const count of await mergeListenerDays(trx, collectionNodeId, batch)) addTo(counts, count)
  }
  for (const batch of batches([...counts.values()].sort(byKey))) await addDownloads(trx, collectionNodeId, batch)
  // Last, because it touches other collections: nobody who waits for them shall wait for us.
  await sweepExpiredSalts(trx, run.now)
  return { downloads: [...counts.values()].reduce((sum, { downloads }) => sum + downloads, 0) }
}

async function rememberFiles(trx: StorageDatabase, collectionNodeId: string, { path, finished, present }: StatisticsRun): Promise<void> {
  if (present) await forgetFinishedLogs(trx, collectionNodeId, { path, heads: present })
  for (const heads of batches(finished)) await insertFinishedLogs(trx, collectionNodeId, { path, heads })
}

async function learnSizes(trx: StorageDatabase, collectionNodeId: string, run: StatisticsRun): Promise<Map<string, number>> {
  for (const batch of batches([...run.files].sort(byKey))) await mergeEpisodeFiles(trx, collectionNodeId, batch)
  const sizes = new Map<string, number>()
  for (const batch of batches([...new Set(run.groups.map(({ episode }) => episode))])) {
    for (const [episode, totalBytes] of await readEpisodeSizes(trx, collectionNodeId, batch)) sizes.set(episode, totalBytes)
  }
  return sizes
}

async function openSalts(trx: StorageDatabase, collectionNodeId: string, run: StatisticsRun): Promise<Map<string, Buffer>> {
  await deleteExpiredSalts(trx, collectionNodeId, run.now)
  const salts = new Map<string, Buffer>()
  const open = run.days.filter(({ expiresAt }) => expiresAt > run.now)
  for (const batch of batches(open.toSorted((a, b) => (a.day < b.day ? -1 : 1)))) {
    const lasting = batch.filter(({ expiresAt }) => expiresAt.getTime() - run.now.getTime() > LAST_SALT_MS)
    if (lasting.length > 0) await insertSalts(trx, collectionNodeId, lasting)
    const days = batch.map(({ day }) => day)
    for (const [day, salt] of await readSalts(trx, collectionNodeId, days)) salts.set(day, salt)
  }
  return salts
}

function addTo(counts: Map<string, DownloadCount>, more: DownloadCount): void {
  const key = JSON.stringify([more.episode, more.day, more.app])
  counts.set(key, { ...more, downloads: more.downloads + (counts.get(key)?.downloads ?? 0) })
}
