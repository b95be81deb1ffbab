import { type Answer, textAnswer } from '../server/answer.ts'
import { readBody } from '../server/read-body.ts'
import type { ReceivedRequest } from '../server/received.ts'
import type { StandIn, StandInOptions } from '../server/stand-in.ts'
import { startStandIn } from '../server/start-stand-in.ts'
import { readRow, type SpacetimeJobStatus } from './job-status-row.ts'

/** Which database there is, and who may call its reducer. */
export interface SpacetimeStandInOptions extends StandInOptions {
  /** Name of the only database. */
  database: string
  /** The token of the identity that the reducer lets in. */
  token: string
}

/** A call of the HTTP API. */
export interface SpacetimeRequest extends ReceivedRequest {
  /** As it was received; undefined before. */
  body: string
}

/** A running stand-in for SpacetimeDB. */
export interface SpacetimeStandIn extends StandIn<SpacetimeRequest> {
  /** The table that the reducer keeps, by job: what a subscriber sees. */
  readonly rows: ReadonlyMap<string, SpacetimeJobStatus>
  /** Every call that was committed, in order; also those that changed no row because a newer one had come before. */
  readonly committed: readonly SpacetimeJobStatus[]
}

const route = /^\/v1\/database\/([^/]+)\/call\/([^/]+)$/

/** SpacetimeDB's HTTP API as far as a worker calls it: the reducer `upsert_job_status` of one database. */
export async function startSpacetimeStandIn(options: SpacetimeStandInOptions): Promise<SpacetimeStandIn> {
  const rows = new Map<string, SpacetimeJobStatus>()
  const committed: SpacetimeJobStatus[] = []
  const standIn = await startStandIn<SpacetimeRequest>(
    {
      describe: () => 'a stand-in for SpacetimeDB: one reducer, no database',
      receive: async (message, request) => {
        request.body = (await readBody(message)).toString('utf8')
      },
      answer: async (request) => {
        const row = readCall(request, options)
        if (!isRow(row)) return row
        committed.push(row)
        if (row.updated_at >= (rows.get(row.job_id)?.updated_at ?? '')) rows.set(row.job_id, row)
        return { status: 200, headers: { 'spacetime-energy-used': '0', 'spacetime-execution-duration-micros': '1' }, body: '' }
      },
    },
    options,
  )
  return Object.assign(standIn, { rows, committed })
}

function readCall(request: SpacetimeRequest, { database, token }: SpacetimeStandInOptions): SpacetimeJobStatus | Answer {
  const [, name, reducer] = route.exec(request.path) ?? []
  if (name === undefined) return textAnswer(404, '')
  if (request.method !== 'POST') return textAnswer(405, '')
  const { authorization, 'content-type': contentType = '' } = request.headers
  if (authorization !== undefined && authorization !== `Bearer ${token}`) return textAnswer(401, 'Authorization token is invalid')
  if (!/^application\/json\s*(;|$)/.test(contentType)) return textAnswer(415, 'Expected request with `Content-Type: application/json`')
  if (decodeURIComponent(name) !== database) return textAnswer(404, `database ${decodeURIComponent(name)} not found`)
  if (reducer !== 'upsert_job_status') return textAnswer(404, `reducer ${reducer} not found`)
  const row = readRow(request.body)
  if (typeof row === 'string') return textAnswer(400, row)
  // Without a token the server makes an identity up; it is the reducer that does not know it.
  return authorization === undefined ? textAnswer(530, 'only the worker may call this reducer') : row
}

function isRow(value: SpacetimeJobStatus | Answer): value is SpacetimeJobStatus {
  return 'job_id' in value
}
