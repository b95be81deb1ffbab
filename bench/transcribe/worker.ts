import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import type { TranscribeResult } from '@sidelinja/handler-whisper-transcribe/job'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { createServices } from '@sidelinja/jobs-kit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface WorkerTask {
  connectionString: string
  mediaRoot: string
  whisperUrl: string
}

export interface WorkerFigures {
  seconds: number
  result: TranscribeResult
  peakRssMb: number
}

/** The worker of the measurement: runs the one job, tells its figures and ends. */
async function run({ connectionString, mediaRoot, whisperUrl }: WorkerTask): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {}) // the server stops before the last socket is closed
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const services = createServices({ db, mediaRoot, transcription: { url: new URL(whisperUrl) } })
  const ended = Promise.withResolvers<void>()
  const worker = createWorker({
    connection: connectionString,
    handlers: [whisperTranscribe.createHandler(services)],
    onEvent: (event) => {
      if (event.name === 'job.completed') ended.resolve()
      if (event.name === 'job.failed') ended.reject(new Error(event.error.message))
    },
  })
  const started = performance.now()
  await worker.start()
  await ended.promise
  const seconds = (performance.now() - started) / 1_000
  const { rows } = await pool.query<{ result: TranscribeResult }>('select result from job_queue')
  const figures = { seconds, result: rows[0]?.result, peakRssMb: process.resourceUsage().maxRSS / 1_000 }
  await worker.stop()
  await db.destroy()
  process.send?.(figures, undefined, undefined, () => process.disconnect())
}

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? ''))
