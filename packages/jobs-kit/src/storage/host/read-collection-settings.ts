import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { HostTables } from './tables.ts'

/** `metadata.jobs` of a collection's node as it stands there, unchecked (null when there is none); undefined when the node is gone. */
export async function readCollectionSettings(
  db: StorageDatabase,
  collectionNodeId: string,
): Promise<{ settings: JsonValue | null } | undefined> {
  return await withTables<HostTables>(db)
    .selectFrom('nodes')
    .select(sql<JsonValue | null>`metadata -> 'jobs'`.as('settings'))
    .where('id', '=', collectionNodeId)
    .executeTakeFirst()
}
