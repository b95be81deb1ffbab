import { PermanentError } from '@sidelinja/jobs-core'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import { parseCollectionSettings } from '../settings/parse-collection-settings.ts'
import { type HostTopic, listTopics, readCollectionSettings } from '../storage/host/index.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'

/** What is known about the collection a job belongs to. */
export interface Collections {
  /**
   * The collection's settings (`metadata.jobs` of its node), checked, with every default filled in. Read anew for each job, so a
   * change works from the next one on.
   * @throws PermanentError `COLLECTION_MISSING` or `COLLECTION_SETTINGS_INVALID`.
   */
  readSettings(collectionNodeId: string): Promise<CollectionSettings>
  /** The topics that the collection knows, by title: at most 200. */
  listTopics(collectionNodeId: string): Promise<HostTopic[]>
}

/** Reads collections from the host's tables. */
export function createCollections(db: StorageDatabase): Collections {
  return Object.freeze({
    async readSettings(collectionNodeId: string) {
      const found = await readCollectionSettings(db, collectionNodeId)
      if (found === undefined) {
        throw new PermanentError(
          'COLLECTION_MISSING',
          `Collection ${collectionNodeId} does not exist (any more), so there is nothing to do for it.`,
        )
      }
      return parseCollectionSettings(collectionNodeId, found.settings)
    },
    listTopics: (collectionNodeId: string) => listTopics(db, collectionNodeId),
  })
}
