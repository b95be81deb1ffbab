import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateWaveform, type Result } from '@sidelinja/handler-generate-waveform/job'
import { enqueue } from '@sidelinja/jobs-core'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres, waitForJob } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import pg from 'pg'

/**
 * How long `generate_waveform` takes for one long recording, and the most memory that its worker and ffmpeg have meanwhile; against ffmpeg alone, which
 * decodes the same file and throws it away. Needs ffmpeg and /proc.
 * Usage: node --conditions=@sidelinja/source bench/generate-waveform.ts [hours=3, at most 24] [kHz=44.1] [dist]
 * `dist` runs the build worker-heavy as it is deployed (`npm run build` first); else it runs from source, where stripping types takes 35 MB of memory.
 */
const hours = Math.min(24, Math.max(0.01, Number(process.argv[2] ?? 3)))
const sampleRate = Math.round(1_000 * Number(process.argv[3] ?? 44.1))
const build = join(import.meta.dirname, '../apps/worker/builds/worker-heavy')

const folder = await mkdtemp(join(tmpdir(), 'bench-waveform-'))
const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {}) // the server stops before the last socket is closed
try {
  makeRecording(join(folder, 'long.mp3'))
  const { size } = await stat(join(folder, 'long.mp3'))
  const bareSeconds = decodeAlone(join(folder, 'long.mp3'))
  const { seconds, result, idleMb, peakMb, ffmpegMb } = await runWorker()
  console.log(`recording: ${hours} h of mp3 at ${sampleRate / 1_000} kHz, ${(size / 1e6).toFixed(0)} MB`)
  console.log(`ffmpeg alone: ${bareSeconds.toFixed(1)} s`)
  console.log(`generate_waveform: ${seconds.toFixed(1)} s, ${((hours * 3_600) / seconds).toFixed(0)} times as fast as it plays`)
  console.log(`points: overview ${result.overview.points}, detail ${result.detail.points}`)
  console.log(
    `worker's peak RSS ${peakMb.toFixed(0)} MB (at most 120 with dist), idle before ${idleMb.toFixed(0)} MB; ffmpeg's ${ffmpegMb.toFixed(0)} MB`,
  )
} finally {
  await pool.end()
  await server.stop()
  await rm(folder, { recursive: true })
}

/** Noise that comes and goes: no encoder can make it short, as it could a tone. */
function makeRecording(path: string): void {
  const sound = `anoisesrc=color=pink:duration=${hours * 3_600}:sample_rate=${sampleRate},tremolo=f=0.2`
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', sound, '-b:a', '64k', path])
}

function decodeAlone(path: string): number {
  const started = performance.now()
  execFileSync('ffmpeg', ['-v', 'error', '-threads', '1', '-i', path, '-f', 'null', '-'])
  return (performance.now() - started) / 1_000
}

async function runWorker() {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  const { rows } = await pool.query(`insert into nodes (kind, title) values ('collection', 'bench'), ('media', 'long') returning id`)
  const worker = startWorker()
  let ffmpegMb = 0
  try {
    await once(worker.stdout as NodeJS.ReadableStream, 'data') // it logs that it has started
    const idleMb = peakMbOf(worker.pid)
    const watch = setInterval(() => {
      ffmpegMb = Math.max(ffmpegMb, ...childrenOf(worker.pid).map(peakMbOf))
    }, 250)
    const payload = { mediaNodeId: rows[1].id, audioPath: 'long.mp3' }
    const { id } = await enqueue(pool, generateWaveform, payload, { collectionNodeId: rows[0].id })
    const job = await waitForJob(pool, id, { timeoutMs: 3_600_000 })
    clearInterval(watch)
    const seconds = (Number(job.completed_at) - Number(job.started_at)) / 1_000
    return { seconds, result: job.result as Result, idleMb, peakMb: peakMbOf(worker.pid), ffmpegMb }
  } finally {
    worker.kill()
    await once(worker, 'exit')
  }
}

function startWorker(): ChildProcess {
  const [main, flags] = process.argv[4] === 'dist' ? ['dist/main.js', []] : ['src/main.ts', ['--conditions=@sidelinja/source']]
  // The flags its first line gives it when it is run as a program.
  const own = /^#!.* node (.*)$/m.exec(readFileSync(join(build, main), 'utf8'))?.[1]?.split(' ') ?? []
  return spawn(process.execPath, [...own, ...flags, join(build, main), 'start', '--types', 'generate_waveform'], {
    env: { ...process.env, DATABASE_URL: server.connectionString(), MEDIA_ROOT: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** The kernel's own mark of the most memory a process has had. */
function peakMbOf(pid: number | undefined): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0) / 1_000
}

function childrenOf(pid: number | undefined): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((one) => statusOf(one).includes(`\nPPid:\t${pid}\n`))
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // it has ended
  }
}
