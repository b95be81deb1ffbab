import { PermanentError } from '@sidelinja/jobs-core'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import { parseCollectionSettings } from '../settings/parse-collection-settings.ts'
import {
  type HostNode,
  type HostTopic,
  listNodes,
  listTopics,
  type NamedNode,
  readCollectionSettings,
  readNodeInCollection,
} from '../storage/host/index.ts'
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
  /** Nodes of the collection, in the order of their ids; those that are not its own are left out. */
  listNodes(collectionNodeId: string, nodeIds: readonly string[]): Promise<NamedNode[]>
  /**
   * A node of the collection: its own, or one that an edge ties to it. A payload may name any node; others' are not read.
   * @throws PermanentError `NODE_NOT_IN_COLLECTION`
   */
  readNode(collectionNodeId: string, nodeId: string): Promise<HostNode>
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
    listNodes: (collectionNodeId: string, nodeIds: readonly string[]) => listNodes(db, collectionNodeId, nodeIds),
    listTopics: (collectionNodeId: string) => listTopics(db, collectionNodeId),
    async readNode(collectionNodeId: string, nodeId: string) {
      const node = await readNodeInCollection(db, collectionNodeId, nodeId)
      if (node !== undefined) return node
      throw new PermanentError(
        'NODE_NOT_IN_COLLECTION',
        `Expected nodeId to be a node of collection ${collectionNodeId}, got ${nodeId}, which does not exist (any more) or is not tied to it by an edge.`,
      )
    },
  })
}
