import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { edgeStands, inCollectionAsSource } from './in-collection.ts'

/** Something that a party, or a voter, may agree with or not. */
export interface HostStatement {
  id: string
  text: string
}

/**
 * Statements of the collection: nodes of kind `statement`, all that an edge ties to it, or of those ids; their content, else their title. In the order of their making, at most
 * so many; ids that are not among them are not the collection's, or no statements.
 */
export async function listStatements(
  db: StorageDatabase,
  collectionNodeId: string,
  { ids, most }: { ids: readonly string[] | null; most: number },
): Promise<HostStatement[]> {
  const stands = edgeStands(sql.ref('edges.status'))
  const tied = sql`select target_id from edges where source_id = ${collectionNodeId}::uuid and ${stands}
    union select source_id from edges where target_id = ${collectionNodeId}::uuid and ${stands}`
  const { rows } = await sql<HostStatement>`
    select n.id, coalesce(nullif(btrim(n.content), ''), btrim(n.title)) as text from nodes n
    where n.kind = 'statement' and coalesce(n.content, n.title) ~ '\\S'
      and ${ids === null ? sql`n.id in (${tied})` : sql`n.id = any (${[...ids]}::uuid[]) and ${inCollectionAsSource(sql`n.id`, collectionNodeId)}`}
    order by n.created_at, n.id limit ${most}`.execute(withTables(db))
  return rows
}
