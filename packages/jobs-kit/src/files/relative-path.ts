import { PermanentError } from '@sidelinja/jobs-core'

const MAX_PATH_BYTES = 4000
const MAX_NAME_BYTES = 255

/**
 * Checks the text of a path below a root, without touching the disk. Only the plain form is accepted (`show/episode 1.mp3`), so
 * that one file has one name: what is counted or stored by path is never counted or stored twice.
 * @throws PermanentError `FILE_PATH_INVALID`, `FILE_PATH_BACKSLASH`, `FILE_PATH_ABSOLUTE` or `FILE_PATH_TRAVERSAL`.
 */
export function checkRelativePath(rootName: string, path: string): void {
  if (typeof path !== 'string') throw invalid(rootName, path, 'it is not a text')
  if (path === '') throw invalid(rootName, path, 'it is empty')
  if (hasControlCharacter(path)) throw invalid(rootName, path, 'it holds a control character')
  if (!path.isWellFormed()) throw invalid(rootName, path, 'it is not valid Unicode')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw invalid(rootName, path, `it is longer than ${MAX_PATH_BYTES} bytes`)
  if (path.includes('\\')) {
    throw new PermanentError('FILE_PATH_BACKSLASH', `${quote(path)} holds a backslash. Paths below ${rootName} use / on every platform.`)
  }
  if (path.startsWith('/') || /^[a-z]:\//i.test(path)) {
    throw new PermanentError('FILE_PATH_ABSOLUTE', `${quote(path)} is absolute. Give the path relative to ${rootName}.`)
  }
  for (const name of path.split('/')) checkName(rootName, path, name)
}

/** Whether a text passes {@link checkRelativePath}. */
export function isRelativePath(rootName: string, path: string): boolean {
  try {
    checkRelativePath(rootName, path)
    return true
  } catch {
    return false
  }
}

/** A path as it may stand in a message: quoted, escaped, at most about 200 characters. */
export function quote(path: unknown): string {
  const text = String(path)
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

function checkName(rootName: string, path: string, name: string): void {
  if (name === '..') {
    throw new PermanentError('FILE_PATH_TRAVERSAL', `${quote(path)} climbs with "..". Give the path of a file below ${rootName}.`)
  }
  if (name === '' || name === '.') throw invalid(rootName, path, 'it has an empty part or "." between slashes')
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw invalid(rootName, path, `it has a name longer than ${MAX_NAME_BYTES} bytes`)
}

function hasControlCharacter(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point; NUL ends a path in C
  return /[\u0000-\u001f\u007f]/.test(path)
}

function invalid(rootName: string, path: unknown, why: string): PermanentError {
  return new PermanentError(
    'FILE_PATH_INVALID',
    `${quote(path)} is no path below ${rootName}: ${why}. Expected something like "show/episode.mp3".`,
  )
}
