import { createTestDatabase, insertNode, type TestServer } from '@sidelinja/jobs-core/testing'
import { type Kysely, sql } from 'kysely'
import {
  type ListenerGroup,
  type LogCheckpoint,
  type RecordedStatistics,
  recordStatistics,
  type SeenListener,
  type StatisticsRun,
} from '../../src/storage/index.ts'

const now = new Date('2026-11-30T20:00:00Z')
export const openDay = { day: '2026-11-30', expiresAt: new Date('2026-12-02T23:00:00Z') }
export const episode = '/media/a.mp3'

export const checkpointAt = (byteOffset: number): LogCheckpoint => ({
  path: 'access.log',
  device: 18_446_744_073_709_551_615n,
  inode: 7n,
  byteOffset,
  headSha256: Buffer.alloc(32, 1),
  headLength: 4096,
  size: 9_007_199_254_740_991,
  lastTs: new Date('2026-11-30T19:59:59.123Z'),
})

export const next = (from: number, to: number) => ({ from: checkpointAt(from), to: checkpointAt(to) })

/** A listener and which day and episode it is about. */
export interface TestListener extends SeenListener {
  day: string
  episode: string
  listener: string
}

export const listener = (change: Partial<TestListener> = {}): TestListener => ({
  day: '2026-11-30',
  episode,
  listener: '203.0.113.1|Overcast/3.0',
  app: 'Overcast',
  ranges: [0, 1000],
  totalBytes: 1000,
  ...change,
})

/** A database of its own, and two collections. */
export async function setUpStatistics(server: TestServer) {
  const database = await createTestDatabase(server)
  const db = database.db as unknown as Kysely<unknown>
  const insertCollection = async () => (await insertNode(database.db)).id
  return {
    database,
    mine: await insertCollection(),
    other: await insertCollection(),
    insertCollection,
    /** Records a run; by default the first one, of one listener who fetched the whole file. */
    async record(
      collection: string,
      { listeners = [listener()], ...change }: Partial<StatisticsRun> & { listeners?: TestListener[] } = {},
      writer = db,
    ): Promise<RecordedStatistics> {
      const run: StatisticsRun = {
        path: 'access.log',
        checkpoint: { from: undefined, to: checkpointAt(100) },
        finished: [],
        present: undefined,
        days: [openDay],
        files: [],
        groups: [...Map.groupBy(listeners, ({ day, episode }) => `${day} ${episode}`).values()].map(toGroup),
        thresholdBytes: (_episode, totalBytes) => totalBytes,
        now,
        ...change,
      }
      return await writer.transaction().execute(async (trx) => {
        // As the worker's own transaction has it.
        await sql`select set_config('jobs.collection', ${collection}, true)`.execute(trx)
        return recordStatistics(trx, collection, run)
      })
    },
    /** A collection's rows, by table. */
    async rowsOf(collection: string): Promise<unknown[]> {
      const tables = ['log_checkpoints', 'finished_logs', 'salts', 'episode_files', 'listener_days', 'downloads']
      const read = (table: string) =>
        database.pool.query(`select t::text from podcast_${table} t where collection_node_id = $1 order by 1`, [collection])
      const results = await Promise.all(tables.map(read))
      return results.map(({ rows }) => rows)
    },
  }
}

function toGroup(listeners: TestListener[]): ListenerGroup {
  const { day = '', episode = '' } = listeners[0] ?? {}
  return {
    day,
    episode,
    size: listeners.length,
    names: () => listeners.map(({ listener }) => listener),
    at: (n) => listeners[n] as SeenListener,
  }
}
