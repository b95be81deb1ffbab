import { PermanentError } from '@sidelinja/jobs-core'
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

/**
 * The filter as a condition on podcast_downloads.
 * @throws PermanentError `DAY_INVALID`
 */
export function matchesFilter({ fromDay, toDay, episode, app }: DownloadFilter): RawBuilder<SqlBool> {
  checkDay('fromDay', fromDay)
  checkDay('toDay', toDay)
  const conditions = [
    fromDay === undefined ? undefined : sql`day >= ${fromDay}::date`,
    toDay === undefined ? undefined : sql`day <= ${toDay}::date`,
    episode === undefined ? undefined : sql`episode = ${episode}`,
    app === undefined ? undefined : sql`app = ${app}`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

function checkDay(name: string, day: string | undefined): void {
  if (day === undefined || isDay(day)) return
  throw new PermanentError('DAY_INVALID', `${name} must be a day of the calendar such as 2026-11-01, got ${JSON.stringify(day)}.`)
}

/** Dates that roll over, such as 30 February, are none. The database has no year 0. */
function isDay(day: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(day)) return false
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
