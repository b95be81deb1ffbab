import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { whisperTranscribe } from '@sidelinja/handler-whisper-transcribe/job'
import { enqueue } from '@sidelinja/jobs-core'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import { recordedRecognizer, startTranscriptionStandIn } from '@sidelinja/jobs-kit/testing'
import pg from 'pg'
import type { WorkerFigures, WorkerTask } from './transcribe/worker.ts'

/**
 * What `whisper_transcribe` itself takes for a large file, through a real worker process and an embedded PostgreSQL; the transcription server answers at once. Needs ffmpeg.
 * Usage: node --conditions=@sidelinja/source bench/transcribe.ts [megabytes=300, at most 2000] [dist]
 * `dist` runs the worker from the built packages, as it is deployed: stripping types takes 35 MB of memory.
 */
const megabytes = Math.min(2_000, Math.max(1, Number(process.argv[2] ?? 300)))
/** As worker-heavy is started. */
const asWorkerHeavy = ['--max-semi-space-size=2', '--optimize-for-size']
/** 44.1 kHz, two channels, 16 bits. */
const bytesPerSecond = 44_100 * 4

const folder = await mkdtemp(join(tmpdir(), 'bench-transcribe-'))
const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {}) // the server stops before the last socket is closed
const whisper = await startTranscriptionStandIn({ recognizer: recordedRecognizer({ language: 'no', duration: 600, segments: speech() }) })
try {
  const seconds = Math.round((megabytes * 1_000_000) / bytesPerSecond)
  await makeRecording(join(folder, 'recording.wav'), seconds)
  const { size } = await stat(join(folder, 'recording.wav'))
  const { result, ...figures } = await runWorker()
  console.log(`recording: ${(size / 1_000_000).toFixed(0)} MB, ${(seconds / 60).toFixed(0)} minutes`)
  console.log(`${result.pieces} pieces, ${result.segments} segments in ${figures.seconds.toFixed(1)} s`)
  console.log(`peak RSS ${figures.peakRssMb.toFixed(0)} MB (at most 150 with dist)`)
} finally {
  await whisper.close()
  await pool.end()
  await server.stop()
  await rm(folder, { recursive: true })
}

/** Two tones that come and go, so that there are pauses to cut at. */
async function makeRecording(path: string, seconds: number): Promise<void> {
  const tone = (hertz: number) => `if(lt(mod(t,7),6),0.5*sin(${hertz}*2*PI*t))`
  const sound = `aevalsrc='${tone(440)}|${tone(330)}':s=44100:d=${seconds}`
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', sound, '-c:a', 'pcm_s16le', '-y', path]
  await promisify(execFile)('ffmpeg', args)
}

/** Two hundred segments for each piece. */
function speech() {
  return Array.from({ length: 200 }, (_, n) => ({
    ...{ start: n * 3, end: n * 3 + 3, text: ` Dette er den ${n}. setningen i en lang samtale om vær og vind.` },
    ...{ avg_logprob: -0.2, compression_ratio: 1.3, no_speech_prob: 0.01 },
  }))
}

async function runWorker(): Promise<WorkerFigures> {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  const { rows } = await pool.query(`insert into nodes (kind, title) values ('collection', 'bench'), ('media', 'recording') returning id`)
  const payload = { audioPath: 'recording.wav', mediaNodeId: rows[1].id }
  await enqueue(pool, whisperTranscribe, payload, { collectionNodeId: rows[0].id })
  const task: WorkerTask = { connectionString: server.connectionString(), mediaRoot: folder, whisperUrl: whisper.url }
  const child = fork(join(import.meta.dirname, 'transcribe', 'worker.ts'), [JSON.stringify(task)], {
    execArgv: process.argv[3] === 'dist' ? asWorkerHeavy : [...asWorkerHeavy, '--conditions=@sidelinja/source'],
  })
  const [figures] = await once(child, 'message')
  await once(child, 'exit')
  return figures as WorkerFigures
}
