/** The five-character SQLSTATE of an error from PostgreSQL, else undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? code : undefined
}

/** Serialization failure, deadlock, lock_timeout, and a statement that was cancelled: by hand, or because it took too long. */
const contentionStates = new Set(['40001', '40P01', '55P03', '57014'])

/** Somebody else held a lock, or two transactions met: the same statement may succeed at once. */
export function isContention(error: unknown): boolean {
  return contentionStates.has(sqlState(error) ?? '')
}

const lostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const lostMessages =
  /connection terminated|connection ended|client has encountered a connection error|timeout exceeded when trying to connect|query read timeout|not queryable/i

/** The server is in trouble of its own: out of disk, memory or connections, an I/O or internal error. It may be over in a moment. */
export function isServerTrouble(error: unknown): boolean {
  return /^(53|58|XX)/.test(sqlState(error) ?? '')
}

/** The server knows this role or database not, or not with these credentials, or TLS is not to be had as asked: waiting will not mend it. */
export function isRefusal(error: unknown): boolean {
  return /^(28|3D)/.test(sqlState(error) ?? '') || isTlsRefusal(error)
}

const certificateCodes = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/

/** The server speaks no TLS although the connection string asks for it, or its certificate is not to be trusted. */
export function isTlsRefusal(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  // The driver gives the first no code.
  return certificateCodes.test(code ?? '') || /server does not support SSL/i.test(message ?? '')
}

/** The database is away, restarting, read-only or refuses connections: nothing is known about the statement's fate. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || state === '53300' || state === '25006'
  const { code, message, syscall } = (error ?? {}) as { code?: string; message?: string; syscall?: string }
  // A missing file has this code too.
  if (code === 'ENOENT') return syscall === 'connect'
  return lostCodes.has(code ?? '') || lostMessages.test(message ?? '')
}
