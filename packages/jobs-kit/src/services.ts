import { ConfigurationError, type JobDefinition } from '@sidelinja/jobs-core'
import type { Handler } from '@sidelinja/jobs-core/worker'
import { type AudioTools, type AudioToolsOptions, createAudioTools } from './audio/audio-tools.ts'
import { breakerVerdict } from './breaker/breaker-verdict.ts'
import { createBreaker } from './breaker/create-breaker.ts'
import { type Collections, createCollections } from './collections/create-collections.ts'
import { createEmbeddings, type Embeddings } from './embeddings/create-embeddings.ts'
import { createFileRoot, type FileRoot } from './files/file-root.ts'
import { createGateway } from './gateway/create-gateway.ts'
import { gatewayVerdict } from './gateway/explain-refusal.ts'
import type { Gateway, GatewayConfig } from './gateway/gateway.ts'
import { createGovernor } from './governor/create-governor.ts'
import type { GentleActions } from './governor/gentle-actions.ts'
import { createHttpClient } from './http/create-http-client.ts'
import { createForgejoRepository, type ForgejoOptions } from './repository/create-forgejo-repository.ts'
import { noRepository } from './repository/no-repository.ts'
import type { Repository } from './repository/repository.ts'
import { createRooms, type RoomsOptions } from './rooms/create-rooms.ts'
import { createStartChecks, type StartCheck, type StartChecks } from './start-checks.ts'
import { checkHostTables } from './storage/host/index.ts'
import { readDatabaseTime } from './storage/read-database-time.ts'
import { type LogCheckpoint, readCheckpoint, readFinishedLogs } from './storage/statistics/index.ts'
import type { StorageDatabase } from './storage/storage-database.ts'
import { createTranscription } from './transcription/create-transcription.ts'
import { meansNoSpeech } from './transcription/no-speech.ts'
import type { Transcription, TranscriptionConfig } from './transcription/transcription.ts'
import { createTranscripts, type Transcripts } from './transcripts/create-transcripts.ts'
import { createWebPages, type WebPagesOptions } from './web-pages/create-web-pages.ts'
import type { WebPages } from './web-pages/web-page.ts'

/** What handlers may use. A handler takes the few it needs: `createHandler({ logs }: Pick<Services, 'logs'>)`. */
export interface Services {
  /** Audio and video files, below MEDIA_ROOT. */
  readonly media: FileRoot
  /** Access logs, below LOG_ROOT. */
  readonly logs: FileRoot
  readonly collections: Collections
  readonly statistics: Statistics
  /** ffmpeg and ffprobe, safely. */
  readonly audio: AudioTools
  /** The transcription server. */
  readonly transcription: Transcription
  readonly transcripts: Transcripts
  /** The AI gateway. */
  readonly gateway: Gateway
  /** Vectors that are there, and the search for the nearest. */
  readonly embeddings: Embeddings
  /** Where transcripts are committed to; a worker without one refuses each commit. */
  readonly repository: Repository
  /** Pages of the public web. */
  readonly web: WebPages
}

/** What the counting of downloads reads from the database. */
export interface Statistics {
  /** The database's time. */
  now(): Promise<Date>
  /** How far a collection's log, by its path below LOG_ROOT, has been read; undefined when it never was. */
  readCheckpoint(collectionNodeId: string, path: string): Promise<LogCheckpoint | undefined>
  /** SHA-256 of the heads of the log's rotated files that were read to their end. */
  readFinishedLogs(collectionNodeId: string, path: string): Promise<Buffer[]>
}

/** Where services find what they need. Nothing here is read from the environment; the application passes it on. */
export interface ServicesConfig {
  /** For reads outside of a job's `write`: a Kysely instance, whatever tables it is typed for. */
  db: StorageDatabase
  /** Folder of the media files (MEDIA_ROOT). Without it a handler that needs them cannot be built. */
  mediaRoot?: string | undefined
  /** Folder of the access logs (LOG_ROOT). Without it a handler that needs them cannot be built. */
  logRoot?: string | undefined
  /** Where ffmpeg and ffprobe are, and their limits (FFMPEG_PATH, FFPROBE_PATH). */
  audio?: AudioToolsOptions | undefined
  /** Without it a handler that transcribes cannot be built (WHISPER_…). */
  transcription?: TranscriptionConfig | undefined
  /** Without it a handler that asks an AI cannot be built (AI_GATEWAY_…). */
  gateway?: GatewayConfig | undefined
  /** The server of the live rooms that must not be disturbed (LIVEKIT_…). Without it work always goes at full speed. */
  liveKit?: RoomsOptions | undefined
  /** What is done so as not to disturb a live room (GENTLE_…, WHISPER_GENTLE_URL). */
  gentle?: Partial<GentleActions> | undefined
  /** The server of the repositories that collections name (FORGEJO_…). */
  forgejo?: ForgejoOptions | undefined
  /** How pages of the web are read (WEB_CONTACT_URL). */
  web?: WebPagesOptions | undefined
}

/** A handler package's default export. */
export interface HandlerPackage {
  readonly definition: JobDefinition
  /** Builds the handler from the services it takes. Nothing is read or connected before a job runs. */
  readonly createHandler: (services: Services) => Handler
}

/** What hides in a Services object from handlers; the same symbol in every copy of this package. */
const inside = Symbol.for('@sidelinja/jobs-kit/start-checks')

interface Inside {
  readonly checks: StartChecks
  /** The same services for the handler of one job type: what is not set is told by the checks, and not by the taking. */
  readonly forType: (type: string) => Services
}

/**
 * Makes the services of a process. Nothing is read or connected here. Taking a service out of the object is what says that it is
 * needed: one that is not configured throws ConfigurationError `FILE_ROOT_UNSET` or `SERVICE_UNSET` then, so when the handler is built, and
 * `checkServices` checks just the services that were taken. `createHandlers` leaves both to `checkServices`.
 */
export function createServices(config: ServicesConfig): Services {
  const parts = makeParts(config)
  const checks = createStartChecks()
  const servicesFor = (type: string | undefined): Services => {
    const take = <Service>(service: Service, place: 'machine' | 'database', name: string, check: StartCheck): Service => {
      checks.need(name, type, place, check)
      return service
    }
    const miss = (name: string, unset: (needed: string) => ConfigurationError): never => {
      if (type === undefined) throw unset('A handler of this build needs')
      return take(standInFor(unset(`${type} needs`)), 'machine', name, (needed) => Promise.reject(unset(needed)))
    }
    const takeRoot = (name: string, root: FileRoot | undefined): FileRoot =>
      root === undefined ? miss(name, (needed) => rootUnset(needed, name)) : take(root, 'machine', name, root.checkRoot)
    return Object.freeze({
      ...{ statistics: parts.statistics, transcripts: parts.transcripts, repository: parts.repository, web: parts.web },
      get media() {
        return takeRoot('MEDIA_ROOT', parts.media)
      },
      get logs() {
        return takeRoot('LOG_ROOT', parts.logs)
      },
      get collections() {
        return take(parts.collections, 'database', 'host tables', () => checkHostTables(config.db))
      },
      get audio() {
        return take(parts.audio, 'machine', 'ffmpeg', parts.audio.check)
      },
      get transcription() {
        return parts.transcription ?? miss('transcription', transcriptionUnset)
      },
      get gateway() {
        return parts.gateway ?? miss('gateway', gatewayUnset)
      },
      get embeddings() {
        return take(parts.embeddings, 'database', 'embeddings', parts.embeddings.check)
      },
      [inside]: { checks, forType: servicesFor } satisfies Inside,
    })
  }
  return servicesFor(undefined)
}

/**
 * Builds the handlers of a worker. What one of them needs and is not configured is no error yet: `checkServices` then tells everything that is
 * missing at once, and for which job types.
 */
export function createHandlers(packages: readonly HandlerPackage[], services: Services): Handler[] {
  const forType = (services as { [inside]?: Inside })[inside]?.forType ?? (() => services)
  return packages.map(({ definition, createHandler }) => createHandler(forType(definition.type)))
}

/**
 * For start-up, after the handlers were built: every service that was taken can work. Folders and programs are there, the host's tables fit.
 * @returns what there is to tell about them, in sentences: how vectors are searched.
 * @throws ConfigurationError `FILE_ROOT_UNSET`, `SERVICE_UNSET`, `FILE_ROOT_MISSING`, `FFMPEG_MISSING`, `EMBEDDINGS_UNMIGRATED` or `HOST_TABLES_MISMATCH`; of several
 * `SERVICES_MISSING`, which lists them. The driver's own error while the database is away, which says nothing about the configuration: try again.
 */
export async function checkServices(services: Services): Promise<readonly string[]> {
  return (await (services as { [inside]?: Inside })[inside]?.checks.runAll()) ?? []
}

function makeParts(config: ServicesConfig) {
  const { db } = config
  const statistics: Statistics = Object.freeze({
    now: () => readDatabaseTime(db),
    readCheckpoint: (collectionNodeId: string, path: string) => readCheckpoint(db, collectionNodeId, path),
    readFinishedLogs: (collectionNodeId: string, path: string) => readFinishedLogs(db, collectionNodeId, path),
  })
  return {
    statistics,
    media: optionalRoot('MEDIA_ROOT', config.mediaRoot),
    logs: optionalRoot('LOG_ROOT', config.logRoot),
    collections: createCollections(db),
    audio: createAudioTools(config.audio),
    transcription: config.transcription && transcriptionOf(config, config.transcription),
    gateway: config.gateway && gatewayOf(config, config.gateway),
    transcripts: createTranscripts(db),
    embeddings: createEmbeddings(db),
    web: createWebPages(config.web ?? {}, () => readDatabaseTime(db)),
    repository: config.forgejo ? createForgejoRepository(config.forgejo) : noRepository,
  }
}

function transcriptionOf({ db, liveKit, gentle }: ServicesConfig, config: TranscriptionConfig): Transcription {
  // Silence that a server stumbles over says nothing against the server.
  const verdict = (error: unknown) => (meansNoSpeech(error) ? 'success' : breakerVerdict(error))
  return createTranscription({
    ...{ config, client: createHttpClient({ service: 'transcription' }), now: () => readDatabaseTime(db) },
    governor: createGovernor({ rooms: liveKit && createRooms(liveKit), gentle: gentle ?? {} }),
    breaker: createBreaker(db, { service: 'transcription', verdict }),
    gentleBreaker: createBreaker(db, { service: 'transcription-gentle', verdict }),
  })
}

function gatewayOf({ db }: ServicesConfig, config: GatewayConfig): Gateway {
  const service = 'gateway'
  return createGateway({
    config,
    db,
    client: createHttpClient({ service }),
    breaker: createBreaker(db, { service, verdict: gatewayVerdict }),
  })
}

function gatewayUnset(needed: string): ConfigurationError {
  return new ConfigurationError(
    'SERVICE_UNSET',
    `${needed} an AI gateway, but AI_GATEWAY_URL is not set. Set it to the address of one, or choose a build or types that do without.`,
  )
}

function transcriptionUnset(needed: string): ConfigurationError {
  return new ConfigurationError(
    'SERVICE_UNSET',
    `${needed} a transcription server, but WHISPER_URL is not set. Set it to the address of one, or choose a build or types that do without.`,
  )
}

function optionalRoot(name: string, root: string | undefined): FileRoot | undefined {
  // An empty variable in a compose file means "not set", and must not become the current folder.
  return root === undefined || root === '' ? undefined : createFileRoot({ name, root })
}

function rootUnset(needed: string, name: string): ConfigurationError {
  return new ConfigurationError(
    'FILE_ROOT_UNSET',
    `${needed} files below ${name}, but ${name} is not set. Set it to the folder, or choose a build or types that do without.`,
  )
}

/** Stands where a service is not configured: whoever uses it is told so. */
function standInFor(error: ConfigurationError): never {
  const get = () => {
    throw error
  }
  return new Proxy({}, { get }) as never
}
