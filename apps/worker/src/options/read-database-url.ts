import { readFileSync } from 'node:fs'
import { ConfigurationError } from '@sidelinja/jobs-core'
import type { Environment } from './read-settings.ts'

/** DATABASE_URL, or the content of the file DATABASE_URL_FILE names (a Docker or systemd secret). Never shown: it holds a password. */
export function readDatabaseUrl(env: Environment): string {
  const url = env.DATABASE_URL || readUrlFile(env.DATABASE_URL_FILE)
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

function readUrlFile(path: string | undefined): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new ConfigurationError(
      'DATABASE_URL_MISSING',
      `DATABASE_URL_FILE names ${path}, which cannot be read: ${(cause as Error).message}.`,
      {
        cause,
      },
    )
  }
}
