import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { readSegments } from '@sidelinja/jobs-kit/storage'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Payload, Result } from '../src/job.ts'

/** Folder of the subtitle files. */
export const fixtures = join(import.meta.dirname, 'fixtures')

/** A database, a media folder with the fixtures, a collection and a handler of their own. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  const mediaRoot = await mkdtemp(join(tmpdir(), 'srt-parse-'))
  await cp(fixtures, mediaRoot, { recursive: true })
  const { media, collections } = createServices({ db: database.db, mediaRoot })
  const db = database.db as unknown as Kysely<unknown>
  const insert = async (settings = {}) => (await insertNode(database.db, { metadata: JSON.stringify({ jobs: settings }) })).id
  const collection = await insert()
  return {
    ...database,
    db,
    collection,
    insert,
    writeFile: (name: string, content: string | Uint8Array) => writeFile(join(mediaRoot, name), content),
    /** A whole run, as the queue makes it: read, then write in one transaction. */
    async run(payload: Payload, collectionNodeId = collection): Promise<Result> {
      const { result } = await runHandler(createHandler({ media, collections }), { payload, job: { collectionNodeId }, db })
      return result as Result
    },
    segments: (mediaNodeId: string) => readSegments(db, collection, mediaNodeId),
    /** Until some session waits for a lock of another one, or what should wait is over. */
    async untilSomebodyWaits(waiting: Promise<unknown>): Promise<void> {
      let over = false
      const settled = () => {
        over = true
      }
      waiting.then(settled, settled)
      const blocked = 'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0'
      while (!over && (await database.query(blocked)).rowCount === 0);
    },
    async drop() {
      await database.drop()
      await rm(mediaRoot, { recursive: true })
    },
  }
}
