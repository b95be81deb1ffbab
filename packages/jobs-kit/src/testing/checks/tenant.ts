import type { Arranged, Bench, Check } from '../conformance.ts'
import { commit, runOnce } from '../run-once.ts'
import { compareSnapshots, describeChanges, parseRow, type Snapshot, type TableChange } from '../snapshot.ts'

/** Tables of the host, which have no tenant column: a node may be the tenant. */
const HOST_TABLES: readonly string[] = ['nodes', 'edges', 'node_access']

/** Every row a job writes says whose it is: `collection_node_id` is the job's collection. */
export const ownRowsCheck: Check = {
  name: 'writes rows of its own collection only',
  async run(bench: Bench) {
    const arranged = await bench.arrange()
    const before = await bench.snapshot()
    await commit(bench.database, await runOnce(bench.handler, arranged))
    return foreignRows(compareSnapshots(before, await bench.snapshot()), arranged.collectionNodeId)
  },
}

/**
 * A job leaves every other collection's rows exactly as they are: when it runs beside them, and also when its payload names things
 * of another collection, as a wrong or malicious caller may. Of the two others one has had its own run, one has not: what a job
 * would overwrite with the same, and what it would write first, both show.
 */
export const otherCollectionsCheck: Check = {
  name: "leaves other collections' rows as they are",
  async run(bench: Bench) {
    const empty = await bench.snapshot()
    const finished = await bench.arrange()
    await complete(bench, finished)
    const others = [finished, await bench.arrange()]
    const theirRows = addedRows(empty, await bench.snapshot())
    const ours = await bench.arrange()
    if (new Set([...others, ours].map((arranged) => arranged.collectionNodeId)).size < 3) {
      return ['arrange returns the same collection twice: make a new one each time.']
    }

    await complete(bench, ours)
    const beside = lostRows(theirRows, await bench.snapshot())
    if (beside.length > 0) return [`Its run changed rows of another collection: ${describeChanges(beside)}.`]

    const before = await bench.snapshot()
    for (const { payload } of others) await complete(bench, { collectionNodeId: ours.collectionNodeId, payload })
    const after = await bench.snapshot()
    const crossed = lostRows(theirRows, after)
    if (crossed.length > 0)
      return [`A payload that names another collection's things changed that collection's rows: ${describeChanges(crossed)}.`]
    return foreignRows(compareSnapshots(before, after), ours.collectionNodeId)
  },
}

/** Runs and commits; a job that fails has written nothing, which is fine here. */
async function complete(bench: Bench, arranged: Arranged): Promise<void> {
  await commit(bench.database, await runOnce(bench.handler, arranged))
}

function foreignRows(changes: readonly TableChange[], collectionNodeId: string): string[] {
  return changes
    .filter(({ table }) => !HOST_TABLES.includes(table))
    .flatMap(({ table, added, removed }) => {
      const owners = new Set([...added, ...removed].map((row) => parseRow(row).collection_node_id))
      owners.delete(collectionNodeId)
      if (owners.size === 0) return []
      if (owners.has(undefined)) return [`The table ${table} has no column collection_node_id: nobody can tell whose its rows are.`]
      return [`It wrote rows of ${table} for another collection than the job's: ${[...owners].join(', ')}.`]
    })
}

function addedRows(before: Snapshot, after: Snapshot): Snapshot {
  return new Map(compareSnapshots(before, after).map(({ table, added }) => [table, added]))
}

/** Rows that are gone or are no longer as they were. */
function lostRows(rows: Snapshot, after: Snapshot): TableChange[] {
  return compareSnapshots(rows, after)
    .map(({ table, removed }) => ({ table, added: [], removed }))
    .filter(({ removed }) => removed.length > 0)
}
