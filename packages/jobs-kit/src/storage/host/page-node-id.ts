import { uuidOfName } from './uuid-of-name.ts'

/** The id of a collection's node of a page, known by its key (`WebPage.key`): the same for every job about that page, so that there is one node of it. */
export function pageNodeId(collectionNodeId: string, pageKey: string): string {
  return uuidOfName(`page ${pageKey} in ${collectionNodeId.toLowerCase()}`)
}
