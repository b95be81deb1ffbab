import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { DownloadCount } from './add-downloads.ts'

/** What one run adds to one listener's day with one episode. */
export interface ListenerDay {
  readonly day: string
  readonly episode: string
  /** HMAC-SHA-256 under the day's salt: 64 hexadecimal digits. */
  readonly listenerHash: string
  readonly app: string
  /** Bytes received: start (inclusive) and end (exclusive) in turn. */
  readonly ranges: readonly number[]
  /** Bytes that make a download; undefined while the file's size is unknown. */
  readonly thresholdBytes: number | undefined
}

/**
 * Adds to each listener's day the bytes that have arrived, as a union, and counts the days that reached their threshold with this
 * call, by episode, day and app. A day that was counted before stays as it is.
 * @param rows each key once, sorted by it, so that two runs never wait for each other; a few thousand at most.
 */
export async function mergeListenerDays(
  trx: StorageDatabase,
  collectionNodeId: string,
  rows: readonly ListenerDay[],
): Promise<DownloadCount[]> {
  const { rows: counts } = await sql<DownloadCount>`
    with merged as (
      insert into podcast_listener_days as known (collection_node_id, day, episode, listener_hash, app, ranges, threshold_bytes, counted)
      select ${collectionNodeId}::uuid, seen.day, seen.episode, decode(seen.listener_hash, 'hex'), seen.app,
             case when reached then '{}' else seen.ranges end, seen.threshold_bytes, reached
      from unnest(
        ${rows.map((row) => row.day)}::date[],
        ${rows.map((row) => row.episode)}::text[],
        ${rows.map((row) => row.listenerHash)}::text[],
        ${rows.map((row) => row.app)}::text[],
        ${rows.map((row) => toMultirange(row.ranges))}::int8multirange[],
        ${rows.map((row) => row.thresholdBytes ?? null)}::bigint[]
      ) as seen (day, episode, listener_hash, app, ranges, threshold_bytes)
      cross join lateral (select coalesce(${bytesIn('seen.ranges')} >= seen.threshold_bytes, false) as reached) as verdict
      on conflict (collection_node_id, day, episode, listener_hash) do update
      set (ranges, threshold_bytes, counted) = (
        select case when reached then '{}' else united end, threshold, reached
        from (select known.ranges + excluded.ranges as united, coalesce(excluded.threshold_bytes, known.threshold_bytes) as threshold) as both_runs
        cross join lateral (select excluded.counted or coalesce(${bytesIn('united')} >= threshold, false) as reached) as verdict
      )
      where not known.counted
      returning episode, day, app, counted
    )
    select episode, day::text as day, app, count(*)::int as downloads from merged where counted group by 1, 2, 3
  `.execute(withTables(trx))
  return counts
}

function bytesIn(column: string) {
  return sql`(select sum(upper(part) - lower(part)) from unnest(${sql.raw(column)}) as part)`
}

function toMultirange(ranges: readonly number[]): string {
  const parts: string[] = []
  for (let index = 0; index < ranges.length; index += 2) parts.push(`[${ranges[index]},${ranges[index + 1]})`)
  return `{${parts.join(',')}}`
}
