/** Why a statement had no answer. */
export type DatabaseTrouble = 'too slow' | 'busy' | 'away'

const lostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const lostMessages =
  /connection terminated|connection ended|client has encountered a connection error|timeout exceeded when trying to connect|not queryable/i

/** Whether an error says that the database is away, was too slow, or that somebody else held what was needed; undefined for every other error. Never throws. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  const { code, message } = readable(error)
  if (code === '57014' || /query read timeout/i.test(message)) return 'too slow'
  // A lock that was not granted in time, a deadlock, a conflict with another transaction.
  if (code === '55P03' || code === '40P01' || code === '40001') return 'busy'
  // Connection exceptions, a server that stops or starts, too many connections, out of memory or disk, read-only.
  if (/^(08|57P|53)\w{2,3}$/.test(code) && code.length === 5) return 'away'
  if (code === '25006' || lostCodes.has(code) || lostMessages.test(message)) return 'away'
  return undefined
}

function readable(error: unknown): { code: string; message: string } {
  try {
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
    return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
  } catch {
    return { code: '', message: '' }
  }
}
