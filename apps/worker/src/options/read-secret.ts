import { readFileSync } from 'node:fs'
import { ConfigurationError } from '@sidelinja/jobs-core'
import type { Environment } from './read-settings.ts'

/**
 * A secret from a variable, or from the file that the variable `<name>_FILE` names (a secret of Docker or systemd); undefined when neither is
 * set. Never from the command line, which other users can read.
 * @throws ConfigurationError `SECRET_UNREADABLE`
 */
export function readSecret(env: Environment, name: string): string | undefined {
  if (env[name]) return env[name]
  const path = env[`${name}_FILE`]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (cause) {
    throw new ConfigurationError('SECRET_UNREADABLE', `${name}_FILE names ${path}, which cannot be read: ${(cause as Error).message}.`, {
      cause,
    })
  }
}
