import type { LogCheckpoint, StatisticsRun } from '@sidelinja/jobs-kit/storage'
import { type Counter, SALT_KEPT_MS } from './counter.ts'
import type { DayClock } from './local-day.ts'
import type { Reading } from './read-log.ts'
import { type EpisodeLength, thresholdBytes } from './threshold.ts'

export interface RunContext {
  /** The log, relative to LOG_ROOT. */
  path: string
  from: LogCheckpoint | undefined
  reading: Reading
  /** What the collection knows about its episodes, by path. */
  episodes: Readonly<Record<string, EpisodeLength>>
  clock: DayClock
  now: Date
}

/** What a counter has gathered, as the storage functions take it. */
export function toStatisticsRun(counter: Counter, { path, from, reading, episodes, clock, now }: RunContext): StatisticsRun {
  const groups = counter.listeners.groups()
  const lengths = new Map(Object.entries(episodes))
  return {
    path,
    checkpoint: { from, to: reading.to },
    finished: reading.finished,
    present: reading.present,
    days: [...new Set(groups.map(({ day }) => day))].map((day) => ({ day, expiresAt: new Date(clock.endOf(day) + SALT_KEPT_MS) })),
    files: [...counter.files].map(([episode, file]) => ({ episode, ...file })),
    groups,
    thresholdBytes: (episode, totalBytes) => thresholdBytes(totalBytes, lengths.get(episode)),
    now,
  }
}
