import { readFileSync } from 'node:fs'
import { ConfigurationError } from '@sidelinja/jobs-core'
import type { Environment } from './read-settings.ts'

/**
 * A secret from a variable, or from the file that the variable `<name>_FILE` names (a secret of Docker or systemd), without space around it;
 * undefined when neither is set. Never from the command line, which other users can read, and never in a message.
 * @throws ConfigurationError `SECRET_UNREADABLE`
 */
export function readSecret(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim()
  if (text) return text
  const variable = `${name}_FILE`
  const path = env[variable]
  if (!path) return undefined
  const content = readText(path, variable).trim()
  if (content === '') throw new ConfigurationError('SECRET_UNREADABLE', `${variable} names ${shown(path)}, which is empty.`)
  return content
}

function readText(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigurationError('SECRET_UNREADABLE', `${variable} names ${shown(path)}, which cannot be read (${code}).`, { cause })
  }
}

/** Who writes the secret where its file belongs shall not find it in a log. */
function shown(path: string): string {
  return /^[./]/.test(path) ? path : 'a file'
}
