import { ConfigurationError } from '@sidelinja/jobs-core'
import type { StorageDatabase } from '../storage-database.ts'
import { type NeededType, neededColumns } from './needed-columns.ts'
import { type Column, readColumns } from './read-columns.ts'

/** One way in which a host's table is not what handlers need. */
export interface HostDifference {
  table: string
  /** What is missing, or of which type it is and should be. */
  message: string
  /** The whole table is missing: the queue's migrations make it. */
  absent: boolean
}

/**
 * For start-up: compares the host's real tables with what handlers need.
 * @throws ConfigurationError `HOST_TABLES_MISMATCH`, which names every column that is missing or of another type.
 */
export async function checkHostTables(db: StorageDatabase): Promise<void> {
  const differences = await compareHostTables(db)
  if (differences.length === 0) return
  throw new ConfigurationError(
    'HOST_TABLES_MISMATCH',
    `The tables of the host application do not fit: ${differences.map(({ message }) => message).join('; ')}. Change them, or give the names and types that are expected through a view.`,
  )
}

/** Every difference between the host's real tables and what handlers need; more columns are none. */
export async function compareHostTables(db: StorageDatabase): Promise<HostDifference[]> {
  const columns = await readColumns(db, Object.keys(neededColumns))
  return Object.entries(neededColumns).flatMap(([table, needed]) =>
    compareTable(
      table,
      needed,
      columns.filter((column) => column.table === table),
    ),
  )
}

function compareTable(table: string, needed: Record<string, NeededType>, columns: readonly Column[]): HostDifference[] {
  if (columns.length === 0) {
    return [{ table, message: `there is no table ${table} on the search path (has migrate been run?)`, absent: true }]
  }
  const messages = Object.entries(needed).flatMap(([name, type]) => {
    const column = columns.find((candidate) => candidate.column === name)
    if (column === undefined) return [`${table}.${name} is missing (expected ${describe(type)})`]
    return fits(column, type) ? [] : [`${table}.${name} is ${column.type} (expected ${describe(type)})`]
  })
  return messages.map((message) => ({ table, message, absent: false }))
}

function fits(column: Column, type: NeededType): boolean {
  if (type === 'any') return true
  return type === 'text' ? column.textLike : column.type === describe(type)
}

function describe(type: NeededType): string {
  if (type === 'any') return 'any type'
  return type === 'timestamptz' ? 'timestamp with time zone' : type
}
