/** What ended in one span. */
export interface ActivityRow {
  /** Null: of all types that are not told one by one. */
  type: string | null
  /** Null where nothing ended at all. */
  startsAt: Date | null
  completed: number
  failed: number
  retried: number
}

/** A type's numbers, one for each span. */
export interface ActivitySeries {
  type: string
  completed: number[]
  /** For good. */
  failed: number[]
  /** Attempts that failed, of jobs that are tried again. */
  retried: number[]
}

/** What ended over time, by type and of all other types together. */
interface FilledSeries {
  types: ActivitySeries[]
  /** Null: there are none. */
  others: Omit<ActivitySeries, 'type'> | null
}

/** Rows as series without gaps. Pure. */
export function fillSeries(rows: readonly ActivityRow[], startsAt: readonly Date[]): FilledSeries {
  const positions = new Map(startsAt.map((at, index) => [at.getTime(), index]))
  const zeros = () => startsAt.map(() => 0)
  const empty = () => ({ completed: zeros(), failed: zeros(), retried: zeros() })
  const series = new Map<string, ActivitySeries>()
  let others: FilledSeries['others'] = null
  for (const row of rows) {
    const index = row.startsAt === null ? undefined : positions.get(row.startsAt.getTime())
    if (index === undefined) continue
    let of: Omit<ActivitySeries, 'type'>
    if (row.type === null) {
      others ??= empty()
      of = others
    } else {
      const own = series.get(row.type) ?? { type: row.type, ...empty() }
      series.set(row.type, own)
      of = own
    }
    for (const name of ['completed', 'failed', 'retried'] as const) of[name][index] = row[name]
  }
  return { types: [...series.values()], others }
}
