import type { StorageDatabase } from '../storage-database.ts'
import { insertEdge } from './insert-edge.ts'
import { insertEdgeBetween } from './insert-edge-between.ts'
import { nodeLeft } from './node-left.ts'
import { type EditableNode, upsertUneditedNode } from './upsert-unedited-node.ts'

/** A node that a job makes, mostly of another one. */
export interface DerivedNode {
  readonly node: EditableNode
  /** What it was made of, and the kind of the edge from it back to that. Left out: it was made of nothing that is a node. */
  readonly of?: { readonly nodeId: string; readonly edge: string } | undefined
  /**
   * The kind of the edge collection → node. Of one that was made of another it only says whose it is: one of its own, which no host takes for access. Whoever may read what it was made of may read
   * it, by the edge back.
   */
  readonly ownedBy: string
}

/**
 * Makes a node for the collection, or replaces that of a job before unless somebody has edited it; ties it to the collection and to what it was made of.
 * @throws PermanentError `NODE_NOT_IN_COLLECTION` when the source is not the collection's (any more), or the node of a job before is not.
 */
export async function storeDerivedNode(
  trx: StorageDatabase,
  collectionNodeId: string,
  { node, of, ownedBy }: DerivedNode,
): Promise<'stored' | 'suggested'> {
  const stored = await upsertUneditedNode(trx, collectionNodeId, node)
  if (stored === 'foreign') throw nodeLeft(`node ${node.id}, which a job before made,`)
  await insertEdge(trx, collectionNodeId, { nodeId: node.id, kind: ownedBy })
  if (of === undefined) return stored
  const tied = await insertEdgeBetween(trx, collectionNodeId, { sourceId: node.id, targetId: of.nodeId, kind: of.edge })
  if (!tied) throw nodeLeft(`node ${of.nodeId}`)
  return stored
}
