import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import type { MigrationSource } from './migration-source.ts'

export interface Migration {
  /** `queue/0001_host_tables` */
  name: string
  sql: string
  /** SHA-256 of the file, in hex. */
  checksum: string
  /** False for files whose first line is `-- no-transaction` (CREATE INDEX CONCURRENTLY). */
  transactional: boolean
}

/** Reads all sources' files: sources in the order given, files by number. */
export async function readMigrations(sources: readonly MigrationSource[]): Promise<Migration[]> {
  const lists = await Promise.all(sources.map(readSource))
  return lists.flat()
}

async function readSource(source: MigrationSource): Promise<Migration[]> {
  const files = (await listFolder(source)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(file)) {
        throw new ConfigurationError('MIGRATION_NAME', `Migration files are named 0001_what_it_does.sql; ${source.name} has ${file}.`)
      }
      const sql = await readFile(new URL(file, source.folder), 'utf8')
      return {
        name: `${source.name}/${file.slice(0, -'.sql'.length)}`,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        transactional: !sql.startsWith('-- no-transaction'),
      }
    }),
  )
}

async function listFolder(source: MigrationSource): Promise<string[]> {
  try {
    return await readdir(source.folder)
  } catch (cause) {
    throw new ConfigurationError(
      'MIGRATIONS_MISSING',
      `The SQL files of ${source.name} are not where this package keeps them. Reinstall it.`,
      { cause },
    )
  }
}
