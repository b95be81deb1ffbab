import { type Migrated, migrate } from '../../src/admin/index.ts'
import { type LegacyDatabase, named } from './legacy-queue.ts'

/** Adopts, into the collection `named` unless another one is given, or none. */
export function adoptIn(
  database: LegacyDatabase,
  { collectionNodeId = named, ...options }: { collectionNodeId?: string | null; dryRun?: boolean } = {},
): Promise<Migrated> {
  return database.withPool((pool) => migrate(pool, { adopt: { ...(collectionNodeId && { collectionNodeId }), ...options } }))
}
