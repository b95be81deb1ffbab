import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import generateWaveform from '@sidelinja/handler-generate-waveform'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import srtParse from '@sidelinja/handler-srt-parse'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { enqueue } from '@sidelinja/jobs-core'
import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { createTestDatabase, insertNode, type TestDatabase, waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, surviveDisconnects } from '@sidelinja/jobs-core/worker'
import { createServices } from '@sidelinja/jobs-kit'
import {
  handlerMigrations,
  handlerRoleMigrations,
  readAnalysis,
  readSegments,
  readSubtitles,
  readWaveform,
} from '@sidelinja/jobs-kit/storage'
import {
  type ForgejoStandIn,
  type GatewayStandIn,
  recordedRecognizer,
  startForgejoStandIn,
  startGatewayStandIn,
  startTranscriptionStandIn,
  type TranscriptionStandIn,
} from '@sidelinja/jobs-kit/testing'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readText, root } from './support/workspace.ts'

// The whole line of an episode, run by a member of queue_worker under row-level security.

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 2 tests, needs ffmpeg')

const login = `test_${randomUUID().replaceAll('-', '')}`
const repository = 'fjell/radio'

describe.skipIf(!ffmpeg)('the audio line as queue_worker', () => {
  let database: TestDatabase
  let whisper: TranscriptionStandIn
  let forgejo: ForgejoStandIn
  let gateway: GatewayStandIn
  let pool: pg.Pool
  let collectionNodeId = ''
  let mediaNodeId = ''
  let worker: ReturnType<typeof createWorker>

  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    await migrate(database.pool, { sources: [queueMigrations, handlerMigrations, roleMigrations, handlerRoleMigrations] })
    await database.pool.query(`create role ${login} login password 'secret' in role queue_worker`)
    const connection = Object.assign(new URL(database.connectionString), { username: login, password: 'secret' }).toString()
    pool = surviveDisconnects(new pg.Pool({ connectionString: connection, max: 4 }))
    const recorded = JSON.parse(readText('apps/playground/samples/episode.verbose.json'))
    whisper = await startTranscriptionStandIn({ recognizer: recordedRecognizer(recorded) })
    forgejo = await startForgejoStandIn({ token: 'hemmelig', repositories: { [repository]: { branches: { main: {} } } } })
    gateway = await startGatewayStandIn()
    const mediaRoot = join(root, 'apps/playground/samples')
    const followUps = { whisper_transcribe: ['srt_parse', 'generate_waveform', 'openrouter_analyze'] }
    const metadata = JSON.stringify({ jobs: { followUps, forgejo: { repository }, budget: { perMonthUsd: 1 } } })
    collectionNodeId = (await insertNode(database.db, { metadata })).id
    mediaNodeId = (await insertNode(database.db)).id

    const services = createServices({
      ...{ db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), mediaRoot },
      ...{
        gateway: { url: new URL(gateway.url) },
        transcription: { url: new URL(whisper.url) },
        forgejo: { url: new URL(forgejo.url), token: 'hemmelig' },
      },
    })
    const handlers = [whisperTranscribe, srtParse, generateWaveform, openrouterAnalyze].map(({ createHandler }) => createHandler(services))
    worker = createWorker({ connection, handlers, pollIntervalMs: 50 })
    await worker.start()
  })
  afterAll(async () => {
    await worker.stop()
    await pool.end()
    await whisper.close()
    await forgejo.close()
    await gateway.close()
    await database.pool.query(`drop role ${login}`)
    await database.drop()
  })

  test('an episode becomes transcript, subtitles, waveform, analysis and a commit', async () => {
    const payload = { audioPath: 'episode.mp3', mediaNodeId }
    const { id } = await enqueue(database.pool, whisperTranscribe.definition, payload, { collectionNodeId })
    expect(await waitForJob(database.pool, id)).toMatchObject({ status: 'completed', result: { language: 'nb' } })
    const { rows } = await database.pool.query<{ id: string }>('select id from job_queue where correlation_id = $1', [id])
    expect(rows).toHaveLength(4)
    for (const job of rows) expect(await waitForJob(database.pool, job.id)).toMatchObject({ status: 'completed' })
    expect(await readSegments(database.db, collectionNodeId, mediaNodeId)).not.toEqual([])
    expect(await readSubtitles(database.db, collectionNodeId, mediaNodeId, 'vtt')).toMatchObject({
      content: expect.stringContaining('-->'),
    })
    expect(await readWaveform(database.db, collectionNodeId, mediaNodeId, 'overview')).toBeDefined()
    expect(await readAnalysis(database.db, collectionNodeId, mediaNodeId)).toMatchObject({ content: { title: expect.any(String) } })
    const calls = await database.pool.query('select collection_node_id, job_type, error_code from ai_calls')
    expect(calls.rows).toEqual([{ collection_node_id: collectionNodeId, job_type: 'openrouter_analyze', error_code: null }])
    expect(forgejo.commits).toMatchObject([{ path: 'episode.srt' }])
  })

  test('a server that refuses the key opens its breaker; the job waits uncharged', async () => {
    whisper.fail({ answer: { status: 401, body: '{"detail":"no"}' } })
    const { id: otherMedia } = await insertNode(database.db)
    const payload = { audioPath: 'episode.mp3', mediaNodeId: otherMedia }
    const { id } = await enqueue(database.pool, whisperTranscribe.definition, payload, { collectionNodeId })
    const putOff = async () => (await database.pool.query('select snoozes, attempts from job_queue where id = $1', [id])).rows
    await expect.poll(putOff, { timeout: 30_000 }).toEqual([{ snoozes: 1, attempts: 0 }])
    expect(await openBreakers(database)).toEqual(['transcription'])
    // A service that is due is tried by one job, and that one closes it.
    await database.pool.query('update service_breakers set probe_at = now()')
    await database.pool.query('update job_queue set scheduled_for = now() where id = $1', [id])
    expect(await waitForJob(database.pool, id)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await openBreakers(database)).toEqual([])
  })
})

async function openBreakers({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ service: string }>('select service from service_breakers where opened_at is not null')
  return rows.map(({ service }) => service)
}
