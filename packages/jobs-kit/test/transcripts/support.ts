import { createTestDatabase, insertNode, type TestServer } from '@sidelinja/jobs-core/testing'
import type { Kysely } from 'kysely'
import { tidySegments } from '../../src/index.ts'
import type { RoughSegment, Segment } from '../../src/storage/index.ts'

/** Segments of a second each. */
export const segmentsOf = (...texts: string[]): Segment[] => tidySegments(texts.map((text, index) => roughly(index, text)))

const roughly = (index: number, text: string): RoughSegment => ({ startMs: index * 1000, endMs: (index + 1) * 1000, text })

/** A database of its own, two collections, and a medium for each. */
export async function setUpTranscripts(server: TestServer) {
  const database = await createTestDatabase(server)
  const insert = async () => (await insertNode(database.db)).id
  const [mine, other, episode, otherEpisode] = [await insert(), await insert(), await insert(), await insert()]
  return { database, db: database.db as unknown as Kysely<unknown>, mine, other, episode, otherEpisode, insert }
}
