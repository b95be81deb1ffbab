import type { Insertable, Selectable } from 'kysely'
import type { Queryable } from '../../database/queryable.ts'
import type { NodesTable } from '../../database/tables.ts'
import { builder, readRows } from '../read-rows.ts'
import { type JsonColumn, jsonText } from './json-text.ts'

/** Columns of a node, by their names in the table. */
export type NodeColumns = Partial<Omit<Insertable<NodesTable>, 'metadata'>> & {
  /** An object, or JSON text. */
  metadata?: JsonColumn
}

/** Inserts a node, by default one that can be a collection. Every column may be given. */
export async function insertNode(db: Queryable, { metadata, ...columns }: NodeColumns = {}): Promise<Selectable<NodesTable>> {
  const [node] = await readRows(
    db,
    builder()
      .insertInto('nodes')
      .values({ kind: 'collection', title: 'A collection', ...columns, ...(metadata && { metadata: jsonText(metadata) }) })
      .returningAll()
      .compile(),
  )
  return node as Selectable<NodesTable>
}
