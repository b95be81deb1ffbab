import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readWaveform, type StorageDatabase, upsertWaveforms } from '../src/storage/index.ts'
import { logInAsWorker } from './support/log-in-as-worker.ts'

const user = '01900000-0000-7000-8000-0000000000a1'
const level = (content: string) => ({ level: 'overview' as const, content })
let database: TestDatabase
let worker: Kysely<unknown>
let login: Awaited<ReturnType<typeof logInAsWorker>>
let [mine, other, episode] = ['', '', '']

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  login = await logInAsWorker(database)
  worker = login.db
  ;[mine, other, episode] = (await Promise.all([1, 2, 3].map(async () => (await insertNode(database.db)).id))) as [string, string, string]
})
afterAll(async () => {
  await login.close()
  await database.drop()
})

const write = (trx: StorageDatabase, collection: string, content: string, media = episode) =>
  upsertWaveforms(trx, collection, media, { jobId: null, durationMs: 1_000, levels: [level(content)] })
const writeAs = (as: string, collection: string) =>
  worker.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${as}, true)`.execute(trx)
    await write(trx, collection, '{"a": [1,  2]}')
  })

describe('waveforms', () => {
  test('are read as they were written, and the newest stays', async () => {
    await write(database.db, mine, '{"old": true}')
    await write(database.db, mine, '{"b":1,  "a":[1,2]}')
    expect(await readWaveform(database.db, mine, episode, 'overview')).toMatchObject({ content: '{"b":1,  "a":[1,2]}', durationMs: 1_000 })
    expect(await readWaveform(database.db, mine, episode, 'detail')).toBeUndefined()
    expect(await readWaveform(database.db, other, episode, 'overview')).toBeUndefined()
  })

  test('need a medium that is there', async () => {
    await expect(write(database.db, mine, '{}', randomUUID())).rejects.toMatchObject({ code: 'MEDIA_NODE_MISSING', kind: 'permanent' })
  })

  test('under row-level security: a worker writes what belongs to its job, and nothing else', async () => {
    await writeAs(mine, mine)
    await writeAs(mine, mine)
    expect(await readWaveform(worker, mine, episode, 'overview')).toMatchObject({ content: '{"a": [1,  2]}' })
    await expect(writeAs(mine, other)).rejects.toMatchObject({ code: 'JQ001' })
    expect(await readWaveform(database.db, other, episode, 'overview')).toBeUndefined()
  })

  test('under row-level security: a user sees those of the collections they have access to', async () => {
    await writeAs(mine, mine)
    await writeAs(other, other)
    await database.query('insert into node_access (user_id, node_id, role) values ($1, $2, $3)', [user, mine, 'viewer'])
    const seen = await database.db.transaction().execute(async (trx) => {
      await sql`set local role queue_web`.execute(trx)
      await sql`select set_config('app.user_id', ${user}, true)`.execute(trx)
      return [await readWaveform(trx, mine, episode, 'overview'), await readWaveform(trx, other, episode, 'overview')]
    })
    expect(seen).toMatchObject([{ durationMs: 1_000 }, undefined])
  })
})
