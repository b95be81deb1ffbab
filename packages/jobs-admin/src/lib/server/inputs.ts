import { JOB_STATUSES, type JobFilter } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { present } from './read-query.ts'

const uuid = z.guid({ error: 'expected a uuid' }).transform((id) => id.toLowerCase())
const text = (max: number) => z.string().min(1).max(max)
const moment = z.iso.datetime({ offset: true, error: 'expected a time like 2026-01-31T12:00:00Z' })

export const jobId = uuid
export const bulkId = uuid
export const nodeId = uuid
export const collectionId = uuid
/** As a worker knows it. */
export const jobType = text(63)
/** As a failed job has it, also one of a type that no worker knows any more. */
export const typeOfJobs = text(200)
/** As the list of groups has it. */
export const errorGroup = text(64)
/** Why somebody does something; stands in the audit. */
export const reason = text(1_000)

/** The same filter as in the query string of the list. */
export const filter = z.strictObject({
  status: z.union([z.enum(JOB_STATUSES), z.array(z.enum(JOB_STATUSES)).max(6)]).optional(),
  type: z.union([text(200), z.array(text(200)).max(100)]).optional(),
  collection_id: collectionId.optional(),
  created_from: moment.optional(),
  created_before: moment.optional(),
  error_group: errorGroup.optional(),
  search: text(200).optional(),
  /** A form has it as a text. */
  mine: z.union([z.literal(true), z.literal('true')]).optional(),
})

/** In the words of the statements, of the user who asks. */
export function toFilter(given: z.infer<typeof filter>, userId: string): JobFilter {
  return {
    ...present('status', given.status),
    ...present('type', given.type),
    ...present('collectionNodeId', given.collection_id),
    ...present('createdFrom', given.created_from === undefined ? undefined : new Date(given.created_from)),
    ...present('createdBefore', given.created_before === undefined ? undefined : new Date(given.created_before)),
    ...present('errorGroup', given.error_group),
    ...present('search', given.search),
    ...present('actedBy', given.mine && userId),
  }
}
