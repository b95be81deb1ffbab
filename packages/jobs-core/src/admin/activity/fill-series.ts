/** What ended in one span. */
export interface ActivityRow {
  /** Null where nothing ended at all. */
  type: string | null
  startsAt: Date
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

/** Rows as series without gaps. Pure. */
export function fillSeries(rows: readonly ActivityRow[], startsAt: readonly Date[]): ActivitySeries[] {
  const positions = new Map(startsAt.map((at, index) => [at.getTime(), index]))
  const series = new Map<string, ActivitySeries>()
  const zeros = () => startsAt.map(() => 0)
  for (const row of rows) {
    const index = row.type === null ? undefined : positions.get(row.startsAt.getTime())
    if (row.type === null || index === undefined) continue
    const of = series.get(row.type) ?? { type: row.type, completed: zeros(), failed: zeros(), retried: zeros() }
    series.set(row.type, of)
    for (const name of ['completed', 'failed', 'retried'] as const) of[name][index] = row[name]
  }
  return [...series.values()]
}
