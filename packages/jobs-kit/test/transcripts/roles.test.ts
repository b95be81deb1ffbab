import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { hasTranscript, readSegments, replaceSegments, replaceSubtitles, searchSegments } from '../../src/storage/index.ts'
import { logInAsWorker } from '../support/log-in-as-worker.ts'
import { segmentsOf, setUpTranscripts } from './support.ts'

// As a member of queue_worker, under row-level security.

const user = '01900000-0000-7000-8000-0000000000a1'
let t: Awaited<ReturnType<typeof setUpTranscripts>>
let worker: Kysely<unknown>
let login: Awaited<ReturnType<typeof logInAsWorker>>

beforeAll(async () => {
  t = await setUpTranscripts(inject('server'))
  login = await logInAsWorker(t.database)
  worker = login.db
})
afterAll(async () => {
  await login.close()
  await t.database.drop()
})

const files = [{ format: 'txt' as const, content: 'a' }]
const write = (collection: string, media: string, as = collection) =>
  worker.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${as}, true)`.execute(trx)
    await replaceSegments(trx, collection, media, { jobId: null, language: 'nb', segments: segmentsOf('Østlandet', 'en', 'to') })
    await replaceSegments(trx, collection, media, { jobId: null, language: 'nb', segments: segmentsOf('Østlandet') })
    await replaceSubtitles(trx, collection, media, { jobId: null, language: 'nb', files })
    await replaceSubtitles(trx, collection, media, { jobId: null, language: 'nn', files })
  })

describe('transcripts under row-level security', () => {
  test('a worker writes, replaces, reads and searches', async () => {
    await write(t.mine, t.episode)
    expect(await readSegments(worker, t.mine, t.episode)).toMatchObject([{ text: 'Østlandet' }])
    expect(await hasTranscript(worker, t.mine, t.episode)).toBe(true)
    expect(await searchSegments(worker, t.mine, { query: 'østlandet' })).toHaveLength(1)
  })

  test("not with another collection's rows", async () => {
    await expect(write(t.other, t.otherEpisode, t.mine)).rejects.toMatchObject({ code: 'JQ001' })
    await write(t.other, t.otherEpisode)
    for (const table of ['transcription_segments', 'media_transcripts', 'media_subtitles']) {
      for (const statement of [`update ${table} set language = 'en'`, `delete from ${table}`]) {
        const writing = worker.transaction().execute(async (trx) => {
          await sql`select set_config('jobs.collection', ${t.mine}, true)`.execute(trx)
          await sql.raw(`${statement} where collection_node_id = '${t.other}'`).execute(trx)
        })
        await expect(writing).rejects.toMatchObject({ code: 'JQ001' })
      }
    }
  })

  test('users read and search what their collections have said', async () => {
    await t.database.query(`insert into node_access (user_id, node_id, role) values ($1, $2, 'viewer')`, [user, t.mine])
    const client = await t.database.pool.connect()
    try {
      await client.query(`begin; set local role queue_web; select set_config('app.user_id', '${user}', true)`)
      for (const table of ['transcription_segments', 'media_transcripts', 'media_subtitles']) {
        expect((await client.query(`select distinct collection_node_id as of from ${table}`)).rows).toEqual([{ of: t.mine }])
      }
      const found = await client.query(`select text from transcription_segments where search @@ transcript_search_query('nb', 'ØSTLANDET')`)
      expect(found.rows).toEqual([{ text: 'Østlandet' }])
      await expect(client.query('delete from media_subtitles')).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('a medium is deleted, and its transcript goes with it', async () => {
    await t.database.query('delete from nodes where id = $1', [t.episode])
    expect(await readSegments(worker, t.mine, t.episode)).toEqual([])
  })
})
