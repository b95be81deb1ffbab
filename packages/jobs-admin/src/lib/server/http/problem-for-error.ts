import { isJobsError } from '@sidelinja/jobs-core'
import { maskSecrets } from '@sidelinja/jobs-core/admin'
import { databaseTrouble } from './database-trouble.ts'
import type { Problem } from './problem.ts'

/** Errors whose message is meant for whoever asked, beside those about input. */
const statusOfCode: Readonly<Record<string, number>> = {
  JOB_NOT_FOUND: 404,
  BULK_NOT_FOUND: 404,
  JOB_FORBIDDEN: 403,
  BULK_EXPIRED: 409,
  SCHEDULE_NOT_FOUND: 404,
  COLLECTION_NOT_FOUND: 404,
  PAUSE_OUT_OF_SCOPE: 404,
  ERROR_GROUP_NOT_FOUND: 404,
  JOB_NOT_RETRYABLE: 409,
  JOB_NOT_CANCELLABLE: 409,
  UNIQUE_KEY_TAKEN: 409,
  JOB_LOCKED: 409,
}
/** Codes of permanent errors that the admin statements throw about what they were asked. Every other one is a fault of ours. */
const aboutInput =
  /^(LIST|CURSOR|FILTER|SEARCH|BULK|SELECTION|ACTION|AUDIT|ERROR_GROUP|COUNT|WORKERS?|PAUSE|SCHEDULE|TIME_ZONE)_[A-Z0-9_]+$/
const maxDetail = 500
const tooSlowRetrySeconds = 5
const awayRetrySeconds = 2

/**
 * What an answer may say about an error. What is not meant for whoever asked is a 500 with nothing but the correlation id: no SQL,
 * path, host, constraint or stack gets into a body. Pure; never throws.
 */
export function problemForError(error: unknown, correlationId: string): Problem {
  return knownProblem(error) ?? troubleProblem(error, correlationId) ?? unknownProblem(correlationId)
}

/** True where the host's log is to have the error: the answer does not say what it was. */
export function isFault(problem: Problem): boolean {
  return problem.status >= 500
}

function knownProblem(error: unknown): Problem | undefined {
  if (!isJobsError(error)) return undefined
  const { code, message, kind } = error
  const status = statusOfCode[code] ?? (kind === 'permanent' && aboutInput.test(code) ? 400 : undefined)
  if (status === undefined) return undefined
  return { status, code, detail: tidy(message), ...(code === 'JOB_LOCKED' && { retryAfterSeconds: awayRetrySeconds }) }
}

function troubleProblem(error: unknown, correlationId: string): Problem | undefined {
  switch (databaseTrouble(error)) {
    case 'too slow':
      return {
        status: 503,
        code: 'QUERY_TOO_SLOW',
        detail: 'The database took too long for this. Narrow the filter, or try again.',
        retryAfterSeconds: tooSlowRetrySeconds,
        correlationId,
      }
    case 'busy':
      return {
        status: 503,
        code: 'DATABASE_BUSY',
        detail: 'Somebody else holds what this needs just now; nothing was changed. Try again.',
        retryAfterSeconds: awayRetrySeconds,
        correlationId,
      }
    case 'away':
      return {
        status: 503,
        code: 'DATABASE_AWAY',
        detail: 'There is no contact with the database just now. Try again.',
        retryAfterSeconds: awayRetrySeconds,
        correlationId,
      }
    default:
      return undefined
  }
}

function unknownProblem(correlationId: string): Problem {
  return {
    status: 500,
    code: 'INTERNAL',
    detail: 'Something went wrong on the server. Its log has it under the correlation id.',
    correlationId,
  }
}

/** Messages repeat what came, which may be long, or a credential. */
function tidy(message: string): string {
  const text = maskSecrets(message.slice(0, 4 * maxDetail)).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return text.length <= maxDetail ? text : `${text.slice(0, maxDetail - 2).toWellFormed()} …`
}
