import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { edgeStands } from './in-collection.ts'
import type { HostTables } from './tables.ts'

/** A topic that the collection knows already. */
export interface HostTopic {
  id: string
  title: string
}

/** More would only fill the prompt. */
const most = 200

/** The topics of a collection, by title: nodes of kind `topic` that an edge ties to it, in either direction; at most 200. */
export async function listTopics(db: StorageDatabase, collectionNodeId: string): Promise<HostTopic[]> {
  const rows = await withTables<HostTables>(db)
    .selectFrom('nodes as t')
    .select(['t.id', 't.title'])
    .where('t.kind', '=', 'topic')
    .where('t.id', 'in', ({ selectFrom }) =>
      selectFrom('edges as from')
        .select('from.target_id as id')
        .where('from.source_id', '=', collectionNodeId)
        .where(edgeStands(sql.ref('from.status')))
        .unionAll(
          selectFrom('edges as to')
            .select('to.source_id as id')
            .where('to.target_id', '=', collectionNodeId)
            .where(edgeStands(sql.ref('to.status'))),
        ),
    )
    .orderBy('t.title')
    .orderBy('t.id')
    .limit(most)
    .execute()
  return rows.flatMap(({ id, title }) => (title?.trim() ? [{ id, title: title.trim() }] : []))
}
