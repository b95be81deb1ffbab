import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { quote } from './relative-path.ts'

/**
 * What a failed open means. The system's own error stays out of the message and of `cause`: it holds the server's absolute path,
 * and a job's error is shown on a page.
 */
export function openingFailed(error: unknown, { name, path }: { name: string; path: string }): Error {
  const code = errorCode(error)
  const file = `${quote(path)} below ${name}`
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new PermanentError(
        'FILE_MISSING',
        `There is no file ${file}. Check the path, and that this worker has the right folder as ${name}.`,
      )
    case 'ELOOP':
    case 'EMLINK':
      return new PermanentError('FILE_SYMLINK', `${file} is a link. Links are not followed: put the file itself there.`)
    case 'ENXIO':
    case 'ENODEV':
    case 'EOPNOTSUPP':
      return new PermanentError('FILE_NOT_REGULAR', `${file} is a socket or a device. Expected a regular file.`)
    case 'EACCES':
    case 'EPERM':
      return new PermanentError(
        'FILE_UNREADABLE',
        `${file} may not be read by this worker (${code}). Give its user read access, then retry the job.`,
      )
    case 'ENAMETOOLONG':
      return new PermanentError('FILE_PATH_INVALID', `${quote(path)} is no path below ${name}: it is too long for the file system.`)
    default:
      return new TransientError('FILE_READ_FAILED', `${file} could not be opened (${code}).`)
  }
}

/** The root was there when the worker started and is not now: a disk that went away is no fault of the job. */
export function rootGone(error: unknown, name: string): TransientError {
  return new TransientError('FILE_ROOT_GONE', `The folder ${name} cannot be reached (${errorCode(error)}). Is its disk still mounted?`)
}

/** The system's code of an error (`ENOENT`), which unlike its message names no path. */
export function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown error'
}
