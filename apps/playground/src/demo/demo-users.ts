import type pg from 'pg'
import { COLLECTION_ID, NEWSROOM_ID } from '../collection.ts'

/** Whom one can be on the admin page. */
export const demoUsers = [
  { name: 'Kari', userId: '5a1de11a-0000-4000-8000-000000000011', collections: [COLLECTION_ID], sees: 'Sample podcast' },
  { name: 'Ola', userId: '5a1de11a-0000-4000-8000-000000000012', collections: [NEWSROOM_ID], sees: 'Sample newsroom' },
  { name: 'Ingrid', userId: '5a1de11a-0000-4000-8000-000000000013', collections: [COLLECTION_ID, NEWSROOM_ID], sees: 'both' },
] as const

/** What the admin page's ADMIN_DEMO_USERS is set to. */
export const demoUsersSetting = JSON.stringify(demoUsers.map(({ name, userId }) => ({ name, userId })))

/** Gives them their collections. */
export async function allowDemoUsers(pool: pg.Pool): Promise<void> {
  const pairs = demoUsers.flatMap(({ userId, collections }) => collections.map((nodeId) => [userId, nodeId] as const))
  await pool.query(
    `insert into node_access (user_id, node_id, role) select user_id, node_id, 'owner' from unnest($1::uuid[], $2::uuid[]) as given (user_id, node_id)
     where not exists (select from node_access a where a.user_id = given.user_id and a.node_id = given.node_id)`,
    [pairs.map(([userId]) => userId), pairs.map(([, nodeId]) => nodeId)],
  )
}
