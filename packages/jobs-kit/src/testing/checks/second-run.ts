import type { Bench, Check } from '../conformance.ts'
import { commit, runOnce } from '../run-once.ts'
import { compareSnapshots, describeChanges, parseRow, type Snapshot } from '../snapshot.ts'

/** The same job once more (a retry after a lost answer, an admin's, the same thing enqueued twice) leaves what the first one left. */
export const secondRunCheck: Check = {
  name: 'leaves no doubles when it runs again',
  async run(bench: Bench) {
    const { ignoreColumns = [] } = bench.options
    const arranged = await bench.arrange()
    await commit(bench.database, await runOnce(bench.handler, arranged))
    const unknown = unknownColumns(await bench.snapshot(), ignoreColumns)
    const first = await bench.snapshot(ignoreColumns)
    const failure = await commit(bench.database, await runOnce(bench.handler, arranged))
    if (failure !== undefined) return [...unknown, `The second run does not complete: ${failure}.`]
    const changes = compareSnapshots(first, await bench.snapshot(ignoreColumns))
    if (changes.length === 0) return unknown
    return [...unknown, `After the second run the tables differ: ${describeChanges(changes)}.`]
  },
}

/** An exception nobody needs hides the next fault: each column must be one of a table that has rows now. */
function unknownColumns(snapshot: Snapshot, ignoreColumns: readonly string[]): string[] {
  const known = new Set(
    [...snapshot].flatMap(([table, [row]]) => (row ? Object.keys(parseRow(row)).map((column) => `${table}.${column}`) : [])),
  )
  return ignoreColumns
    .filter((column) => !known.has(column))
    .map((column) => `ignoreColumns names ${column}, but the first run leaves no row with such a column. Write table.column.`)
}
