import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Which downloads to count. */
export interface DownloadFilter {
  /** The first day, `2026-11-01`, in the collection's zone. Default: from the beginning. */
  readonly fromDay?: string | undefined
  /** The last day, itself included. Default: until now. */
  readonly toDay?: string | undefined
  /** One episode's path. Default: all. */
  readonly episode?: string | undefined
  /** One app's name. Default: all. */
  readonly app?: string | undefined
}

/** The filter as a condition on podcast_downloads. */
export function matchesFilter({ fromDay, toDay, episode, app }: DownloadFilter): RawBuilder<SqlBool> {
  const conditions = [
    fromDay === undefined ? undefined : sql`day >= ${fromDay}::date`,
    toDay === undefined ? undefined : sql`day <= ${toDay}::date`,
    episode === undefined ? undefined : sql`episode = ${episode}`,
    app === undefined ? undefined : sql`app = ${app}`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}
