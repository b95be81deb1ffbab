import { PermanentError } from '@sidelinja/jobs-core'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import { parseCollectionSettings } from '../settings/parse-collection-settings.ts'
import {
  type HostChat,
  type HostNode,
  type HostStatement,
  type HostTopic,
  listMessages,
  listNodes,
  listStatements,
  listTopics,
  type NamedNode,
  readCollectionSettings,
  readNodeInCollection,
} from '../storage/host/index.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'

const MOST_STATEMENTS = 200
/** More than a model should read, and than a worker should hold. */
const MOST_MESSAGES = 10_000

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
  /**
   * The collection's statements, nodes of kind `statement`, in the order of their making: all of them, or those of these ids; at most 200 are allowed.
   * @throws PermanentError `NODE_NOT_IN_COLLECTION` for an id that is none of them, `STATEMENTS_TOO_MANY`
   */
  listStatements(collectionNodeId: string, ids?: readonly string[]): Promise<HostStatement[]>
  /** The newest messages of a chat of the collection, in their order: at most 10,000. */
  listMessages(collectionNodeId: string, nodeId: string): Promise<HostChat>
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
    listMessages: (collectionNodeId: string, nodeId: string) => listMessages(db, collectionNodeId, { nodeId, most: MOST_MESSAGES }),
    async listStatements(collectionNodeId: string, ids?: readonly string[]) {
      const found = await listStatements(db, collectionNodeId, { ids: ids ?? null, most: MOST_STATEMENTS + 1 })
      const missing = ids?.find((id) => !found.some((statement) => statement.id === id.toLowerCase()))
      if (missing !== undefined) throw notInCollection(collectionNodeId, missing, 'each statement')
      if (found.length <= MOST_STATEMENTS) return found
      throw new PermanentError(
        'STATEMENTS_TOO_MANY',
        `Expected collection ${collectionNodeId} to have at most ${MOST_STATEMENTS} statements, got more. Enqueue several jobs, each with the ids of some.`,
      )
    },
    async readNode(collectionNodeId: string, nodeId: string) {
      const node = await readNodeInCollection(db, collectionNodeId, nodeId)
      if (node !== undefined) return node
      throw notInCollection(collectionNodeId, nodeId, 'nodeId')
    },
  })
}

function notInCollection(collectionNodeId: string, nodeId: string, what: string): PermanentError {
  return new PermanentError(
    'NODE_NOT_IN_COLLECTION',
    `Expected ${what} to be a node of collection ${collectionNodeId}, got ${nodeId}, which does not exist (any more), is not tied to it by an edge, or is of another kind.`,
  )
}
