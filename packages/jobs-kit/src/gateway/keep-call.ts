import { type AiCall, insertAiCall } from '../storage/ai-calls/index.ts'
import { within } from '../within.ts'
import type { AskContext } from './gateway.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { Usage } from './usage.ts'

/** Somebody may hold the collection's row. */
const recordMs = 5_000

/** What a call was about, as it is kept. */
export interface CallSubject {
  readonly question: string
  readonly promptVersion: string
  /** The alias, as the gateway knows it. */
  readonly model: string
}

/** What became of it. */
export interface CallOutcome extends Usage {
  /** Null: an answer that could be used. */
  readonly errorCode: string | null
  readonly latencyMs: number
}

/** Keeps what a call took. A row that cannot be kept does not cost the answer, which is paid for. */
export async function keepCall(
  { db }: Pick<GatewayParts, 'db'>,
  { job, log }: Pick<AskContext, 'job' | 'log'>,
  { question, promptVersion, model }: CallSubject,
  outcome: CallOutcome,
): Promise<void> {
  const row: AiCall = {
    ...{ collectionNodeId: job.collectionNodeId, jobId: job.id, jobType: job.type, run: job.run },
    ...{ question, promptVersion, modelAlias: model, ...outcome },
  }
  await within(recordMs, insertAiCall(db, row)).catch((error) =>
    log.warn('A call of the AI gateway could not be recorded', { code: codeOf(error) ?? 'unknown' }),
  )
}

/** Of what happened to a call, also where it opened the breaker. Whatever ends a job while it asks has no code. */
export function ownCode(error: unknown): string {
  const cause = codeOf(error) === 'SERVICE_DOWN' ? (error as { cause?: unknown }).cause : error
  return codeOf(cause) ?? 'ABORTED'
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
