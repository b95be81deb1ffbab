import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { z } from 'zod'
import type { Payload } from './job.ts'

/** What the application may keep about a meeting in `metadata.meeting` of its node. */
const known = z.object({
  meeting: z.object({
    date: z.iso.date().optional(),
    attendees: z.array(z.string().trim().min(1).max(200)).max(200).optional(),
  }),
})

/** When the meeting was and who was there, as the payload says, else its node. */
export function readMeeting(
  { meetingDate, attendees }: Payload,
  metadata: unknown,
  log: HandlerContext<unknown>['log'],
): { date: string | null; attendees: readonly string[] } {
  const { meeting: given } = (metadata ?? {}) as { meeting?: unknown }
  const { data, error } = known.safeParse({ meeting: given ?? {} })
  if (error) log.warn("metadata.meeting of the meeting's node is not used: expected date as YYYY-MM-DD and attendees as a list of names")
  return { date: meetingDate ?? data?.meeting.date ?? null, attendees: attendees ?? data?.meeting.attendees ?? [] }
}
