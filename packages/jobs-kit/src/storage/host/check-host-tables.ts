import { ConfigurationError } from '@sidelinja/jobs-core'
import type { StorageDatabase } from '../storage-database.ts'
import { type NeededType, neededColumns } from './needed-columns.ts'
import { type Column, readColumns } from './read-columns.ts'

/**
 * For start-up: compares the host's real tables with what handlers need.
 * @throws ConfigurationError `HOST_TABLES_MISMATCH`, which names every column that is missing or of another type.
 */
export async function checkHostTables(db: StorageDatabase): Promise<void> {
  const columns = await readColumns(db, Object.keys(neededColumns))
  const problems = Object.entries(neededColumns).flatMap(([table, needed]) =>
    compareTable(
      table,
      needed,
      columns.filter((column) => column.table === table),
    ),
  )
  if (problems.length === 0) return
  throw new ConfigurationError(
    'HOST_TABLES_MISMATCH',
    `The tables of the host application do not fit: ${problems.join('; ')}. Change them, or give the names and types that are expected through a view.`,
  )
}

function compareTable(table: string, needed: Record<string, NeededType>, columns: readonly Column[]): string[] {
  if (columns.length === 0) return [`there is no table ${table} on the search path (has migrate been run?)`]
  return Object.entries(needed).flatMap(([name, type]) => {
    const column = columns.find((candidate) => candidate.column === name)
    if (column === undefined) return [`${table}.${name} is missing (expected ${describe(type)})`]
    return fits(column, type) ? [] : [`${table}.${name} is ${column.type} (expected ${describe(type)})`]
  })
}

function fits(column: Column, type: NeededType): boolean {
  if (type === 'any') return true
  return type === 'text' ? column.textLike : column.type === describe(type)
}

function describe(type: NeededType): string {
  if (type === 'any') return 'any type'
  return type === 'timestamptz' ? 'timestamp with time zone' : type
}
