import { ConfigurationError } from '@sidelinja/jobs-core'
import { readSecret } from './read-secret.ts'
import type { Environment } from './read-settings.ts'

/**
 * DATABASE_URL, or the content of the file DATABASE_URL_FILE names. Never shown: it holds a password.
 * @throws ConfigurationError `DATABASE_URL_MISSING`, `DATABASE_URL_INVALID`
 */
export function readDatabaseUrl(env: Environment): string {
  const url = readUrl(env)
  if (!url) {
    throw new ConfigurationError(
      'DATABASE_URL_MISSING',
      'DATABASE_URL is not set. Expected postgres://user:password@host:5432/database, or DATABASE_URL_FILE with the path of a file that holds it.',
    )
  }
  if (!/^postgres(ql)?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new ConfigurationError(
      'DATABASE_URL_INVALID',
      'DATABASE_URL is no PostgreSQL address. Expected postgres://user:password@host:5432/database; special characters of the password must be percent-encoded.',
    )
  }
  return url
}

function readUrl(env: Environment): string | undefined {
  try {
    return readSecret(env, 'DATABASE_URL')
  } catch (cause) {
    throw new ConfigurationError('DATABASE_URL_MISSING', (cause as Error).message, { cause })
  }
}
