import { ConfigurationError } from '@sidelinja/jobs-core'
import { isRefusal, isTlsRefusal } from '@sidelinja/jobs-core/worker'

/** A refusal that stays one until DATABASE_URL or the server is changed becomes a ConfigurationError; all else is returned as it came. */
export function explainConnectionError(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const advice = isTlsRefusal(error)
    ? "Check the sslmode of DATABASE_URL, and the server's TLS and certificate."
    : "Check the user, the password and the database's name."
  const { message } = error as Error
  return new ConfigurationError('DATABASE_REFUSED', `PostgreSQL refuses DATABASE_URL: ${message}. ${advice}`, { cause: error })
}
