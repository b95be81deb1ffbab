import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CheckpointMove, listDownloads, readCheckpoint } from '../../src/storage/index.ts'
import { logInAsWorker } from '../support/log-in-as-worker.ts'
import { checkpointAt, listener, next, setUpStatistics } from './support.ts'

// As a member of queue_worker, under row-level security.

const later = { day: '2099-01-01', expiresAt: new Date('2099-01-04T00:00:00Z') }
const change = { days: [later], listeners: [listener({ day: later.day })] }
const user = '01900000-0000-7000-8000-0000000000a1'
let t: Awaited<ReturnType<typeof setUpStatistics>>
let worker: Kysely<unknown>
let login: Awaited<ReturnType<typeof logInAsWorker>>

beforeAll(async () => {
  t = await setUpStatistics(inject('server'))
  login = await logInAsWorker(t.database)
  worker = login.db
})
afterAll(async () => {
  await login.close()
  await t.database.drop()
})

describe('statistics under row-level security', () => {
  test('a run is recorded, and the next one; expired salts of every collection go, with their listeners', async () => {
    await t.database.query(`insert into podcast_salts values ($1, '2020-01-01', decode(repeat('00', 32), 'hex'), '2020-01-04')`, [t.other])
    await t.database.query(
      `insert into podcast_listener_days values ($1, '2020-01-01', 'e', decode(repeat('00', 32), 'hex'), 'app', '{}', 1, false)`,
      [t.other],
    )
    expect(await t.record(t.mine, change, worker)).toEqual({ downloads: 1 })
    expect(await t.record(t.mine, { ...change, checkpoint: next(100, 200) }, worker)).toEqual({ downloads: 0 })
    expect((await t.database.query('select from podcast_salts where collection_node_id = $1', [t.other])).rowCount).toBe(0)
    expect((await t.database.query('select from podcast_listener_days where collection_node_id = $1', [t.other])).rowCount).toBe(0)
    expect(await listDownloads(worker, t.mine)).toHaveLength(1)
    expect(await readCheckpoint(worker, t.mine, 'access.log')).toMatchObject({ byteOffset: 200 })
  })

  test.each([
    ['podcast_log_checkpoints', 'byte_offset = 0'],
    ['podcast_salts', "salt = decode(repeat('01', 32), 'hex')"],
    ['podcast_episode_files', 'total_bytes = 1'],
    ['podcast_listener_days', 'counted = true'],
    ['podcast_downloads', 'downloads = 9'],
    ['podcast_finished_logs', 'finished_at = now()'],
  ])("refuses another collection's rows of %s: update and delete", async (table, set) => {
    await t.record(t.other, {
      ...change,
      finished: [Buffer.alloc(32, 1)],
      files: [{ episode: 'e', totalBytes: 9, declared: true }],
      // Its checkpoint is there from the second table on.
      checkpoint: await checkpointOf(t.other),
    })
    for (const statement of [`update ${table} set ${set}`, `delete from ${table}`]) {
      const writing = worker.transaction().execute(async (trx) => {
        await sql`select set_config('jobs.collection', ${t.mine}, true)`.execute(trx)
        await sql.raw(`${statement} where collection_node_id = '${t.other}'`).execute(trx)
      })
      await expect(writing).rejects.toMatchObject({ code: 'JQ001' })
    }
  })

  test('users read the counts of their collections, and nothing about listeners', async () => {
    await t.database.query(`insert into node_access (user_id, node_id, role) values ($1, $2, 'viewer')`, [user, t.mine])
    const client = await t.database.pool.connect()
    try {
      await client.query(`begin; set local role queue_web; select set_config('app.user_id', '${user}', true)`)
      for (const relation of ['podcast_downloads', 'podcast_download_totals']) {
        expect((await client.query(`select distinct collection_node_id as of from ${relation}`)).rows).toEqual([{ of: t.mine }])
      }
      await expect(client.query('select * from podcast_listener_days')).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

async function checkpointOf(collection: string): Promise<CheckpointMove> {
  const from = await readCheckpoint(t.database.db, collection, 'access.log')
  return { from, to: from ?? checkpointAt(100) }
}
