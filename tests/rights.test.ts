import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import aiTextProcess from '@sidelinja/handler-ai-text-process'
import dictationCleanup from '@sidelinja/handler-dictation-cleanup'
import generateWaveform from '@sidelinja/handler-generate-waveform'
import meetingSummarize from '@sidelinja/handler-meeting-summarize'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import promptEval from '@sidelinja/handler-prompt-eval'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import { statsParseSchedule } from '@sidelinja/handler-stats-parse/job'
import summarizeCommunication from '@sidelinja/handler-summarize-communication'
import urlIngest from '@sidelinja/handler-url-ingest'
import valgomatGenerateProfile from '@sidelinja/handler-valgomat-generate-profile'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { enqueue, enqueueByType } from '@sidelinja/jobs-core'
import { cancelJob, pauseJobs, resumeJobs, retryJob, upsertSchedule } from '@sidelinja/jobs-core/admin'
import { createTestDatabase, insertNode, type TestDatabase, waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, surviveDisconnects, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { createHandlers, createServices } from '@sidelinja/jobs-kit'
import { ownNodeId } from '@sidelinja/jobs-kit/storage'
import { recordedRecognizer, startGatewayStandIn, startSiteStandIn, startTranscriptionStandIn } from '@sidelinja/jobs-kit/testing'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { block } from './support/examples.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { readText, root } from './support/workspace.ts'

// The rights that docs/operations.md gives, and not one more, are enough for all that a worker and an application do.

const role = `test_${randomUUID().replaceAll('-', '')}`
const grants = block(readText('docs/operations.md'), 'tested: rights', 'sql')?.replace(/\bto jobs\b/g, `to ${role}`) ?? ''
let database: TestDatabase
let connection: string
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  await database.pool.query(`create role ${role} login password 'secret'`)
  await database.pool.query(grants)
  connection = Object.assign(new URL(database.connectionString), { username: role, password: 'secret' }).toString()
  pool = surviveDisconnects(new pg.Pool({ connectionString: connection, max: 2 }))
})
afterAll(async () => {
  await pool.end()
  await database.pool.query(`drop owned by ${role}`)
  await database.pool.query(`drop role ${role}`)
  await database.drop()
})

test('the documented rights suffice for schedules, pauses, unique keys, statistics and subtitles', async () => {
  const settings = { jobs: { statistics: { mediaPrefixes: ['/media/'] } } }
  const { id: collectionNodeId } = await insertNode(database.db, { metadata: JSON.stringify(settings) })
  const logRoot = await temporaryFolder({ 'access.log': lineOfNow() })
  expect((await pool.query('select current_user as role')).rows).toEqual([{ role }])

  // What an application does.
  const job = await enqueue(pool, statsParse.definition, { logPath: 'access.log' }, { collectionNodeId, unique: { key: 'mine' } })
  expect(job.outcome).toBe('created')
  await cancelJob(pool, job.id, 'all')
  await retryJob(pool, job.id, 'all')
  await pauseJobs(pool, { collectionNodeId }, 'all')
  await upsertSchedule(pool, statsParseSchedule({ collectionNodeId, logPath: 'access.log' }), 'all')

  const text = '00:00:01,000 --> 00:00:02,000\nHei'
  const { id: mediaNodeId } = await insertNode(database.db)
  const subtitles = await enqueue(pool, srtParse.definition, { mediaNodeId, text }, { collectionNodeId })

  // And a worker.
  const events: WorkerEvent[] = []
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const services = createServices({ db, logRoot, mediaRoot: logRoot })
  const worker = createWorker({
    connection,
    handlers: [statsParse.createHandler(services), srtParse.createHandler(services)],
    maxConcurrent: 1,
    pollIntervalMs: 50,
    onEvent: (event) => events.push(event),
  })
  await worker.start()
  try {
    await resumeJobs(pool, { collectionNodeId }, 'all')
    expect(await waitForJob(database, job.id)).toMatchObject({ result: { lines: 1, counted: 1 } })
    expect(await waitForJob(database, subtitles.id)).toMatchObject({ status: 'completed', result: { segments: 1 } })
    const ticked = await ticksJob()
    await waitForJob(database, ticked)
  } finally {
    await worker.stop()
  }
  expect(events.filter(({ name }) => ['database.lost', 'job.failed', 'schedule.failed'].includes(name))).toEqual([])
})

test('they suffice for nodes, minutes, profiles and evaluations that an AI makes and changes', async () => {
  await using gateway = await startGatewayStandIn()
  const page = '<title>Bru</title><p>Kommunen bygger ny bru. Den koster 40 millioner kroner, sier ordfører Ola Berg.'
  await using site = await startSiteStandIn({ pages: { '/': page } })
  const { id: collectionNodeId } = await insertNode(database.db)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const packages = [
    researchClip,
    aiTextProcess,
    dictationCleanup,
    meetingSummarize,
    promptEval,
    summarizeCommunication,
    urlIngest,
    valgomatGenerateProfile,
  ]
  const handlers = createHandlers(packages, createServices({ db, gateway: { url: new URL(gateway.url) }, web: site.web }))
  const worker = createWorker({ connection, handlers, pollIntervalMs: 50 })
  await worker.start()
  try {
    const text = 'Eh, kommunen bygger ny bru. Den koster 40 millioner kroner, sier ordfører Ola Berg.'
    const clip = await enqueue(pool, researchClip.definition, { text }, { collectionNodeId })
    expect(await waitForJob(database, clip.id)).toMatchObject({ status: 'completed', result: { nodeId: ownNodeId(clip.id) } })
    const payload = { mode: 'rens', nodeId: ownNodeId(clip.id), replace: true } as const
    const cleaned = await enqueue(pool, aiTextProcess.definition, payload, { collectionNodeId })
    expect(await waitForJob(database, cleaned.id)).toMatchObject({ status: 'completed', result: { node: 'replaced' } })
    for (let time = 0; time < 2; time++) {
      const read = await enqueue(pool, urlIngest.definition, { url: site.address('/') }, { collectionNodeId })
      expect(await waitForJob(database, read.id)).toMatchObject({ status: 'completed', result: { outcome: 'stored', quality: 'full' } })
    }

    const nodeId = ownNodeId(clip.id)
    await database.pool.query(
      `insert into transcription_segments (collection_node_id, media_node_id, seq, start_ms, end_ms, text) values ($1, $2, 0, 0, 9, 'Vi vedtok budsjettet.')`,
      [collectionNodeId, nodeId],
    )
    const { id: statement } = await insertNode(database.db, { kind: 'statement', title: 'Kommunen bør bygge ny bru.' })
    await database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, statement])
    const jobs = [
      [dictationCleanup.definition, { mediaNodeId: nodeId }],
      [meetingSummarize.definition, { mediaNodeId: nodeId }],
      [summarizeCommunication.definition, { nodeId }],
      [valgomatGenerateProfile.definition, { party: 'Bygdelista', programmeNodeId: nodeId }],
    ] as const
    const evaluation = { prompt: '{{tekst}}', tests: [{ vars: { tekst: 'Banen er ny.' } }], models: ['sidelinja/rutine'] }
    const evaluated = await enqueue(pool, promptEval.definition, evaluation, { collectionNodeId })
    expect(await waitForJob(database, evaluated.id)).toMatchObject({ status: 'completed', result: { models: [{ passed: 1 }] } })
    // The second of each replaces what the first has made.
    for (const [{ type }, about] of [...jobs, ...jobs]) {
      const { id } = await enqueueByType(pool, type, about, { collectionNodeId })
      expect(await waitForJob(database, id)).toMatchObject({ status: 'completed', result: { note: null } })
    }
  } finally {
    await worker.stop()
  }
})

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 1 test, needs ffmpeg')

test.skipIf(!ffmpeg)('they suffice for transcripts, breakers, follow-ups, waveforms and analyses', async () => {
  const segments = [{ start: 0, end: 1, text: ' Hei.', avg_logprob: -0.2, compression_ratio: 1, no_speech_prob: 0 }]
  await using whisper = await startTranscriptionStandIn({ recognizer: recordedRecognizer({ language: 'no', duration: 2, segments }) })
  await using gateway = await startGatewayStandIn()
  const mediaRoot = await temporaryFolder({})
  execFileSync(ffmpeg as string, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=2', join(mediaRoot, 'a.flac')])
  const { id: collectionNodeId } = await insertNode(database.db)
  const { id: mediaNodeId } = await insertNode(database.db)
  const payload = { mediaNodeId, audioPath: 'a.flac', followUps: ['generate_waveform', 'srt_parse', 'openrouter_analyze'] }
  const { id } = await enqueue(pool, whisperTranscribe.definition, payload, { collectionNodeId })
  // The breaker's row is written when a call fails, and again when one succeeds.
  whisper.fail({ answer: { status: 500 } })

  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const services = createServices({
    ...{ db, mediaRoot, transcription: { url: new URL(whisper.url) }, gateway: { url: new URL(gateway.url) } },
  })
  const handlers = createHandlers([whisperTranscribe, generateWaveform, srtParse, openrouterAnalyze], services)
  const events: WorkerEvent[] = []
  const worker = createWorker({ connection, handlers, pollIntervalMs: 50, onEvent: (event) => events.push(event) })
  await worker.start()
  try {
    expect(await waitForJob(database, id, { status: 'retry' })).toMatchObject({ error_msg: expect.stringContaining('500') })
    await retryJob(pool, id, 'all')
    expect(await waitForJob(database, id)).toMatchObject({ status: 'completed', result: { segments: 1 } })
    const { rows } = await database.pool.query<{ id: string }>('select id from job_queue where collection_node_id = $1 and id <> $2', [
      ...[collectionNodeId, id],
    ])
    expect(rows).toHaveLength(3)
    for (const followUp of rows) expect(await waitForJob(database, followUp.id)).toMatchObject({ status: 'completed' })
  } finally {
    await worker.stop()
  }
  expect(events.filter(({ name }) => name === 'job.failed')).toHaveLength(1)
  expect(events.filter(({ name }) => name === 'database.lost')).toEqual([])
})

/** The job of the schedule's first tick, which comes with the first look of the worker. */
async function ticksJob(): Promise<string> {
  for (;;) {
    const { rows } = await database.pool.query<{ id: string }>('select last_job_id as id from job_schedules where last_job_id is not null')
    if (rows[0]) return rows[0].id
  }
}

function lineOfNow(): string {
  const line = readFileSync(join(root, 'apps/playground/samples/caddy.log'), 'utf8')
    .split('\n')
    .find((each) => ['/media/ep002.mp3', 'Overcast', '"status":200'].every((text) => each.includes(text)))
  return `${line?.replace(/"ts":\d+/, `"ts":${Math.floor(Date.now() / 1000) - 60}`)}\n`
}
