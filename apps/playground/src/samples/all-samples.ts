import meetingSummarize from '@sidelinja/handler-meeting-summarize'
import { meetings } from './meetings.ts'
import type { Sample } from './sample.ts'

/** What the samples need of a worker. */
export const samplePackages = [meetingSummarize] as const

/** All samples, in the order in which they are shown. */
export const allSamples: readonly Sample[] = [...meetings]
