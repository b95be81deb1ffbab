/** When a schedule ticks. Either `cron` or `everySeconds`. */
export interface Timing {
  /**
   * Five fields: minute, hour, day of the month, month, day of the week; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. Also names
   * (`MON`, `JAN`), `L`, `W`, `#` and `+`, as croner knows them. At most 100 characters.
   */
  cron?: string | undefined
  /** A length of time in seconds, 1 … 31,622,400 (366 days), counted from `startsAt`. Clock changes do not touch it. */
  everySeconds?: number | undefined
  /** Whose wall clock `cron` means: an IANA name, like `Europe/Oslo`. Default UTC. */
  timeZone?: string | undefined
  /** There is no tick before it; an interval's first tick. Default: when the schedule is made. */
  startsAt?: Date | undefined
}

/** A timing that has been checked. */
export type CheckedTiming = { timeZone: string } & ({ cron: string; everySeconds: null } | { cron: null; everySeconds: number })

/** What happens to ticks that nobody saw in time: none of them, the last, or all (the newest hundred). */
export const MISFIRES = ['skip', 'last', 'all'] as const
/** What happens to ticks that nobody saw in time. */
export type Misfire = (typeof MISFIRES)[number]
