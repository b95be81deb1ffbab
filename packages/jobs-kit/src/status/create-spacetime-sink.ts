import { createHttpClient } from '../http/create-http-client.ts'
import { isUpstreamError } from '../http/upstream-error.ts'
import type { JobStatusUpdate, StatusSink } from './status-sink.ts'

/** Which database of which SpacetimeDB, and how to be let in. */
export interface SpacetimeOptions {
  /** Address of the server, http or https. */
  url: URL
  /** Name or identity of the database. */
  database: string
  /** A token of the identity that its reducer knows as the worker's. */
  token: string
}

const service = 'spacetimedb'
const reducer = 'upsert_job_status'

/** Arguments it cannot read, and an error that the reducer returned: that may be about this one job. */
const aboutTheUpdate = [400, 530]

/** Sends changes of status to the reducer `upsert_job_status` of a SpacetimeDB database, through its HTTP API: docs/operations.md. */
export function createSpacetimeSink({ url, database, token }: SpacetimeOptions): StatusSink {
  const client = createHttpClient({ service })
  const target = new URL(url)
  target.pathname = `${url.pathname.replace(/\/*$/, '')}/v1/database/${encodeURIComponent(database)}/call/${reducer}`
  return {
    name: service,
    async send(update, { timeoutMs, signal }) {
      const headers = { authorization: `Bearer ${token}` }
      await client.request({ method: 'POST', url: target, headers, json: argumentsOf(update), timeoutMs, signal })
    },
    isRefusal: (error) => isUpstreamError(error) && aboutTheUpdate.includes(error.status ?? 0),
  }
}

/** By position, as the reducer declares them; nothing but texts and numbers, whose form in JSON is the same for every type of theirs. */
function argumentsOf(update: JobStatusUpdate): (string | number)[] {
  const { jobId, collectionNodeId, jobType, status, attempt, maxAttempts, progress, message, updatedAt } = update
  return [jobId, collectionNodeId, jobType, status, attempt, maxAttempts, progress, message, updatedAt.toISOString()]
}
