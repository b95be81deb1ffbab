import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/**
 * Deletes the summaries and notes that jobs of any collection have made of a node, also those that somebody has edited. For whoever deletes that node, in the same transaction and before it: their text is
 * that of what was deleted, and nothing leads to them afterwards. Locks the node, so that no job makes another meanwhile.
 * @returns how many there were.
 */
export async function deleteDerivedNodes(trx: StorageDatabase, nodeId: string): Promise<number> {
  await sql`select 1 from nodes where id = ${nodeId}::uuid for update`.execute(withTables(trx))
  const { numAffectedRows } = await sql`
    delete from nodes n
    where exists (select from edges e where e.source_id = n.id and e.target_id = ${nodeId}::uuid and e.kind::text in ('summary', 'dictation'))
      and exists (select from edges e where e.target_id = n.id and e.kind::text in ('has_summary', 'has_note'))`.execute(withTables(trx))
  return Number(numAffectedRows ?? 0n)
}
