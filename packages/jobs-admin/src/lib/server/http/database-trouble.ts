import { isConnectionLoss } from '@sidelinja/jobs-core/admin'

/** Why a statement had no answer. */
export type DatabaseTrouble = 'too slow' | 'busy' | 'away'

/** Whether an error says that the database is away, was too slow, or that somebody else held what was needed; undefined for every other error. Never throws. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  const { code, message } = readable(error)
  if (code === '57014' || /query read timeout/i.test(message)) return 'too slow'
  // A lock that was not granted in time, a deadlock, a conflict with another transaction.
  if (code === '55P03' || code === '40P01' || code === '40001') return 'busy'
  // Class 53: too many connections, out of memory or disk.
  if (/^53\w{3}$/.test(code) || isLost(error)) return 'away'
  return undefined
}

/** An error that cannot be read says nothing. */
function isLost(error: unknown): boolean {
  try {
    return isConnectionLoss(error)
  } catch {
    return false
  }
}

function readable(error: unknown): { code: string; message: string } {
  try {
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
    return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
  } catch {
    return { code: '', message: '' }
  }
}
