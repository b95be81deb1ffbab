import type { ErrorDescription } from '@sidelinja/jobs-core/worker'

/** How a publisher gets along with its sink. Told once each time it changes, not for each call. */
export type StatusReport =
  /** Calls fail; they go on, less and less often. `dropped`: updates lost so far, for want of room or because the service refused them. */
  | { name: 'sink.down'; sink: string; dropped: number; error: ErrorDescription }
  /** A call has succeeded; `afterMs` is how long none had. */
  | { name: 'sink.back'; sink: string; dropped: number; afterMs: number }
  /** More jobs change than can be sent: updates begin to be lost. Told again when everything had been sent in between. */
  | { name: 'sink.full'; sink: string; dropped: number }
  /** At the end: updates that were not sent. */
  | { name: 'sink.left'; sink: string; dropped: number; unsent: number }

/** A report without what every one of them has. */
export type ShortReport<Report = StatusReport> = Report extends StatusReport ? Omit<Report, 'sink' | 'dropped'> : never
