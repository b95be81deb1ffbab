import { ConfigurationError } from '@sidelinja/jobs-core'

/** A refusal that stays one until DATABASE_URL or the server is changed becomes a ConfigurationError; all else is returned as it came. */
export function explainConnectionError(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  if (code?.startsWith('28') || code === '3D000') {
    return new ConfigurationError(
      'DATABASE_REFUSED',
      `PostgreSQL refuses DATABASE_URL: ${message}. Check the user, the password and the database's name.`,
      {
        cause: error,
      },
    )
  }
  return error
}
