import { insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { replaceSegments } from '@sidelinja/jobs-kit/storage'
import type { Kysely } from 'kysely'

/** What was said in a short programme. */
export const programme = [
  'God morgen, og velkommen til programmet.',
  'Kommunestyret sa i går ja til en ny fotballbane ved skolen.',
  'Banen skal stå ferdig til sommeren, sier ordføreren.',
  'Takk for at du hørte på.',
]

/** A collection, and a medium of which that was said, five seconds each. */
export async function arrangeTranscript({ db }: Pick<TestDatabase, 'db'>, texts: readonly string[]) {
  const { id: collectionNodeId } = await insertNode(db)
  const { id: mediaNodeId } = await insertNode(db, { kind: 'episode' })
  const rough = texts.map((text, n): RoughSegment => ({ startMs: n * 5_000, endMs: (n + 1) * 5_000, text }))
  const transcript = { jobId: null, language: 'nb', segments: tidySegments(rough) }
  await (db as unknown as Kysely<unknown>).transaction().execute((trx) => replaceSegments(trx, collectionNodeId, mediaNodeId, transcript))
  return { collectionNodeId, payload: { mediaNodeId } }
}
