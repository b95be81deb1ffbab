import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { handlerMigrations } from '../../src/storage/index.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase({ connectionString: inject('server').connectionString })
  folder = await mkdtemp(join(tmpdir(), 'upgrade-'))
  const before = (await readdir(handlerMigrations.folder)).filter((file) => /^000\d_.*\.sql$/.test(file))
  for (const file of before) await copyFile(new URL(file, handlerMigrations.folder), join(folder, file))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

test('transcripts that are there are entered once each, a silent one by its subtitle files', async () => {
  const { pool } = database
  await migrate(pool, { sources: [queueMigrations, { name: handlerMigrations.name, folder: pathToFileURL(`${folder}/`) }] })
  const { rows } = await pool.query(`insert into nodes (kind) values ('collection'), ('said'), ('silent'), ('never') returning id, kind`)
  const [collection, said, silent] = rows.map(({ id }) => id)
  await pool.query(
    `insert into transcription_segments (collection_node_id, media_node_id, seq, start_ms, end_ms, text)
     select $1, $2, seq, seq, seq, 'x' from generate_series(0, 2) seq`,
    [collection, said],
  )
  await pool.query(
    `insert into media_subtitles (collection_node_id, media_node_id, format, content)
     select $1, media, format, '' from unnest($2::uuid[]) media, unnest('{srt,vtt}'::text[]) format`,
    [collection, [said, silent]],
  )
  const { applied } = await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  expect(applied).toContain('handlers/0010_media_transcripts')
  const entered = await pool.query('select collection_node_id as of, media_node_id as media from media_transcripts order by media')
  expect(entered.rows).toEqual([said, silent].toSorted().map((media) => ({ of: collection, media })))
})
