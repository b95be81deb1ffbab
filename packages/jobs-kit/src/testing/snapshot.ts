import type { TestDatabase } from '@sidelinja/jobs-core/testing'

/** A row as PostgreSQL prints it in JSON: equal texts, equal rows. */
export type RowText = string

/** Every row of every table, by table. */
export type Snapshot = ReadonlyMap<string, readonly RowText[]>

/** What a table has gained and lost between two snapshots. A changed row is both. */
export interface TableChange {
  table: string
  added: RowText[]
  removed: RowText[]
}

export interface SnapshotOptions {
  ignoreTables?: readonly string[] | undefined
  /** Columns to leave out, each as `table.column`. */
  ignoreColumns?: readonly string[] | undefined
}

/** Reads all rows of the schema's tables, without the queue's own (they begin with `job_`, but for one that jobs share). */
export async function readSnapshot(database: TestDatabase, options: SnapshotOptions = {}): Promise<Snapshot> {
  const { rows } = await database.pool.query<{ table: string }>(
    `select relname as "table" from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not like 'job\\_%' and relname <> 'service_breakers' and relname <> all ($1)
     order by 1`,
    [options.ignoreTables ?? []],
  )
  const ignored = options.ignoreColumns ?? []
  return new Map(await Promise.all(rows.map(async ({ table }) => [table, await readRows(database, table, ignored)] as const)))
}

/** The tables that differ, with the rows that do. */
export function compareSnapshots(before: Snapshot, after: Snapshot): TableChange[] {
  const tables = [...new Set([...before.keys(), ...after.keys()])]
  return tables
    .map((table) => ({
      table,
      added: subtract(after.get(table) ?? [], before.get(table) ?? []),
      removed: subtract(before.get(table) ?? [], after.get(table) ?? []),
    }))
    .filter(({ added, removed }) => added.length + removed.length > 0)
}

/** The columns of a row by name. */
export function parseRow(row: RowText): Record<string, unknown> {
  return JSON.parse(row)
}

/** A few words about changes, with one row each as an example. */
export function describeChanges(changes: readonly TableChange[]): string {
  return changes.map(({ table, added, removed }) => `${table} +${added.length} −${removed.length} (${example(added, removed)})`).join(', ')
}

function example(added: readonly RowText[], removed: readonly RowText[]): string {
  const row = added[0] ?? removed[0] ?? ''
  return `${added.length > 0 ? '+' : '−'} ${row.length > 300 ? `${row.slice(0, 300)}…` : row}`
}

/** What is in `rows` and not in `others`; a row that is there twice counts twice. */
function subtract(rows: readonly RowText[], others: readonly RowText[]): RowText[] {
  const left = new Map<RowText, number>()
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count <= 0
  })
}

async function readRows(database: TestDatabase, table: string, ignoreColumns: readonly string[]): Promise<RowText[]> {
  const name = `"${table.replaceAll('"', '""')}"`
  const ignored = ignoreColumns.filter((column) => column.startsWith(`${table}.`)).map((column) => column.slice(table.length + 1))
  // Left out by the database: JavaScript would round large numbers on the way.
  const { rows } = await database.pool.query<{ row: RowText }>(`select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`, [
    ignored,
  ])
  return rows.map(({ row }) => row)
}
