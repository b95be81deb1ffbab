import { copyFile, mkdtemp, rm } from 'node:fs/promises'
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
  await copyFile(new URL('0001_podcast_statistics.sql', handlerMigrations.folder), join(folder, '0001_podcast_statistics.sql'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

test('statistics of the first form keep their counts and listeners; listeners whose salt is gone go too', async () => {
  const { pool } = database
  const first = { name: handlerMigrations.name, folder: pathToFileURL(`${folder}/`) }
  await migrate(pool, { sources: [queueMigrations, first] })
  const { rows } = await pool.query(`insert into nodes (kind) values ('collection') returning id`)
  const values = [rows[0].id]
  await pool.query(`insert into podcast_salts select $1, '2026-11-30', decode(repeat('01', 32), 'hex'), '2026-12-02 23:00Z'`, values)
  await pool.query(
    `insert into podcast_listener_days select $1, day, '/a.mp3', decode(repeat('02', 32), 'hex'), 'Overcast', '{[0,9)}', 100, false
     from unnest('{2026-11-30,2026-11-01}'::date[]) day`,
    values,
  )
  await pool.query(`insert into podcast_downloads values ($1, '/a.mp3', '2026-11-01', 'Overcast', 7)`, values)

  const { applied } = await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  expect(applied).toContain('handlers/0003_listener_days_go_with_salt')
  expect((await pool.query('select day::text from podcast_listener_days')).rows).toEqual([{ day: '2026-11-30' }])
  expect((await pool.query('select downloads from podcast_download_totals')).rows).toEqual([{ downloads: '7' }])

  await pool.query('delete from nodes where id = $1', values)
  expect((await pool.query('select from podcast_listener_days')).rowCount).toBe(0)
})
