import type { Transaction } from 'kysely'
import type { HostDatabase } from './db.ts'

/** A collection as the form offers it. */
export interface Collection {
  id: string
  title: string
}

/** The collections in which a user may act, by title. */
export async function collectionsToActIn(trx: Transaction<HostDatabase>, userId: string): Promise<Collection[]> {
  const rows = await trx
    .selectFrom('node_access as access')
    .innerJoin('nodes', 'nodes.id', 'access.node_id')
    .select(['nodes.id', 'nodes.title'])
    .where('access.user_id', '=', userId)
    .where('access.role', 'in', ['owner', 'editor'])
    .orderBy('nodes.title')
    .orderBy('nodes.id')
    .limit(500)
    .execute()
  return rows.map(({ id, title }) => ({ id, title: title ?? 'Uten navn' }))
}
