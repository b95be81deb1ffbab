import type { JobStatus } from '../../database/tables.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { JobStateError, QueueError } from '../../errors/queue-error.ts'
import { isStorableText } from '../../text/is-storable-text.ts'
import { show } from '../../text/show.ts'
import { jobNotFound } from '../scope.ts'

/** Who does it and why, for the audit. */
export interface ActionNote {
  /** Who, 1 … 200 characters. Where the transaction has `app.user_id`, that counts instead. Default: nobody is named. */
  by?: string | undefined
  /** Why, 1 … 1,000 characters. Default: none is given. */
  reason?: string | undefined
}

/** What a function of the database says it did. */
export interface ActionRow {
  outcome: 'applied' | 'requested' | 'refused'
  code: string | null
  status: JobStatus | null
}

/** @throws PermanentError `ACTION_NOTE` */
export function checkNote({ by, reason }: ActionNote): { by: string | null; reason: string | null } {
  return { by: checkText('by', by, 200), reason: checkText('reason', reason, 1_000) }
}

/** Why an action was refused, as an error. */
export function refusedAction(id: string, action: 'retry' | 'cancel', { code, status }: ActionRow): QueueError {
  switch (code) {
    case 'JOB_LOCKED':
      return new JobStateError('JOB_LOCKED', `Job ${id} is being written by somebody else just now. Try again in a moment.`)
    case 'JOB_FORBIDDEN':
      return new QueueError('JOB_FORBIDDEN', `Job ${id} is one you may see and not ${action}. An owner or editor of its collection may.`)
    case 'JOB_NOT_RETRYABLE':
      return new JobStateError(
        'JOB_NOT_RETRYABLE',
        `Job ${id} is ${status}; only jobs that are error, cancelled or retry can be tried again.`,
      )
    case 'UNIQUE_KEY_TAKEN':
      return new JobStateError('UNIQUE_KEY_TAKEN', `Job ${id} cannot be tried again: another job holds its unique key now.`)
    case 'JOB_NOT_CANCELLABLE':
      return new JobStateError('JOB_NOT_CANCELLABLE', `Job ${id} is ${status} already.`)
    default:
      return jobNotFound(id)
  }
}

function checkText(name: string, value: string | undefined, max: number): string | null {
  if (value === undefined || value === null) return null
  if (isStorableText(value, max)) return value
  throw new PermanentError('ACTION_NOTE', `Expected ${name} of 1 to ${max} characters, got ${show(value)}.`)
}
