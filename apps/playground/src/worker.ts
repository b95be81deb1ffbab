import aiTextProcess from '@sidelinja/handler-ai-text-process'
import generateEmbeddings from '@sidelinja/handler-generate-embeddings'
import generateWaveform from '@sidelinja/handler-generate-waveform'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import suggestEdges from '@sidelinja/handler-suggest-edges'
import urlIngest from '@sidelinja/handler-url-ingest'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { createWorker, type Worker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { type AudioToolsOptions, createServices } from '@sidelinja/jobs-kit'
import type { StorageDatabase } from '@sidelinja/jobs-kit/storage'
import { demoRender, demoRenderHandler } from './demo/demo-render.ts'
import type { EpisodeServices } from './episode/start-episode-services.ts'
import type { Print } from './playground-run.ts'
import { samplePackages } from './samples/all-samples.ts'

/** Short, so that a start after a kill -9 has the dead worker's job back in seconds. */
const LEASE_MS = 5_000
/** Short, since a job of the demo always runs. */
const DRAIN_MS = 300
/** The demo's jobs only pass the time: they are not to keep the samples waiting. */
const SLOTS = 6

export interface PlaygroundWorkerOptions {
  connectionString: string
  db: StorageDatabase
  logRoot: string
  mediaRoot: string
  gatewayUrl: URL
  /** `address:port` of the sample page: the one thing on this machine that `url_ingest` may fetch. */
  pageHost: string
  /** Undefined: the episode is left out. */
  services: EpisodeServices | undefined
  audio: AudioToolsOptions
  /** Also run what there is to see on the admin page. */
  demo: boolean
  print: Print
}

const episodePackages = [whisperTranscribe, srtParse, generateWaveform, openrouterAnalyze]

/** The job types of the playground's worker. */
export function playgroundTypes(services: EpisodeServices | undefined): string[] {
  return packagesFor(services).map(({ definition }) => definition.type)
}

function packagesFor(services: EpisodeServices | undefined) {
  return [
    statsParse,
    aiTextProcess,
    researchClip,
    urlIngest,
    generateEmbeddings,
    suggestEdges,
    ...samplePackages,
    ...(services ? episodePackages : []),
  ]
}

/** The worker, in this process and from source, with the same parts that apps/worker puts together. */
export function makeWorker(options: PlaygroundWorkerOptions): Worker {
  const { connectionString, db, logRoot, mediaRoot, gatewayUrl, pageHost, services: where, audio, demo, print } = options
  const services = createServices({
    ...{ db, logRoot, mediaRoot, audio, gateway: { url: gatewayUrl }, web: { allowLocal: [pageHost] } },
    ...(where && { transcription: { url: where.transcriptionUrl } }),
  })
  return createWorker({
    connection: connectionString,
    handlers: [...packagesFor(where).map(({ createHandler }) => createHandler(services)), ...(demo ? [demoRenderHandler] : [])],
    maxConcurrent: SLOTS,
    leaseMs: LEASE_MS,
    drainMs: DRAIN_MS,
    onEvent(event) {
      const line = describe(event)
      if (line) print(line)
    },
  })
}

function describe(event: WorkerEvent): string | undefined {
  // They are for the page, and go on as long as the playground does.
  if ('jobType' in event && event.jobType === demoRender.type) return undefined
  switch (event.name) {
    case 'worker.started':
      return `Worker runs: ${event.types.join(', ')}`
    case 'job.started':
      return `${event.jobType} started (attempt ${event.attempt})`
    case 'job.completed':
      return `${event.jobType} completed in ${Math.round(event.durationMs)} ms`
    case 'job.failed':
      return `${event.jobType} failed: ${event.error.message}${event.final ? '' : ', will be tried again'}`
    case 'jobs.rescued':
      if (event.jobs === 0) return undefined
      return `Took back ${event.jobs === 1 ? '1 job' : `${event.jobs} jobs`} of a worker that was killed`
    case 'database.lost':
      return `Database unreachable: ${event.error.message}`
    case 'database.back':
      return 'Database reachable again'
    default:
      return undefined
  }
}
