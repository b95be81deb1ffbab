import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonValue } from '@sidelinja/jobs-core'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import { type CollectionSettingsInput, createServices, type ServicesConfig } from '@sidelinja/jobs-kit'
import { readSegments } from '@sidelinja/jobs-kit/storage'
import {
  type Recognizer,
  startTranscriptionStandIn,
  type TranscriptionStandInOptions,
  type VerboseTranscription,
} from '@sidelinja/jobs-kit/testing'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { TranscribeResult } from '../src/job.ts'
import { type ListeningOptions, STANDARD } from '../src/survey.ts'

/** Folder of the recordings. */
export const fixtures = join(import.meta.dirname, 'fixtures')

/** A transcription server, a database and a folder of media of their own. */
export async function setup(server: TestServer, standIn: TranscriptionStandInOptions, config: Partial<ServicesConfig> = {}) {
  const database = await createTestDatabase(server)
  const mediaRoot = await mkdtemp(join(tmpdir(), 'whisper-transcribe-'))
  const whisper = await startTranscriptionStandIn(standIn)
  // Typed for its tables, which `write` is not.
  const db = database.db as unknown as Kysely<unknown>
  const services = createServices({ db, mediaRoot, transcription: { url: new URL(whisper.url) }, ...config })

  return {
    ...database,
    ...{ mediaRoot, whisper, services },
    /** A collection and a media node in it. */
    async arrange(settings: CollectionSettingsInput = {}) {
      const { id: collectionNodeId } = await insertNode(database.db, { metadata: JSON.stringify({ jobs: settings }) })
      const { id: mediaNodeId } = await insertNode(database.db, { kind: 'media' })
      return { collectionNodeId, mediaNodeId }
    },
    writeMedia: (name: string, content: Buffer | string) => writeFile(join(mediaRoot, name), content),
    /** One attempt, as the queue makes it. */
    async transcribe({ collectionNodeId, mediaNodeId }: Arranged, audioPath: string, options: RunOptions = {}) {
      const { listening = STANDARD, payload, priority = 5, steps = {}, ...more } = options
      return await runHandler<TranscribeResult>(keepingSteps(createHandler(services, listening), steps), {
        payload: { audioPath, mediaNodeId, ...payload },
        ...{ job: { collectionNodeId, priority, createdAt: new Date() }, db },
        ...more,
      })
    },
    /** What stands in the database, in short. */
    async segments({ collectionNodeId, mediaNodeId }: Arranged) {
      const segments = await readSegments(database.db, collectionNodeId, mediaNodeId)
      return segments.map(({ startMs, endMs, text }) => [startMs, endMs, text])
    },
    async jobs({ collectionNodeId }: Arranged) {
      const { rows } = await database.pool.query(
        'select job_type, payload, priority, unique_key, correlation_id from job_queue where collection_node_id = $1 order by sequence',
        [collectionNodeId],
      )
      return rows
    },
    async drop() {
      await whisper.close()
      await database.drop()
      await rm(mediaRoot, { recursive: true })
    },
  }
}

export interface Arranged {
  collectionNodeId: string
  mediaNodeId: string
}

interface RunOptions {
  payload?: Record<string, JsonValue>
  listening?: ListeningOptions
  priority?: number
  /** Filled as steps are done, also in an attempt that fails, and used by the next one that gets it. */
  steps?: Record<string, JsonValue>
  signal?: AbortSignal
}

function keepingSteps(handler: ReturnType<typeof createHandler>, steps: Record<string, JsonValue>): typeof handler {
  return {
    ...handler,
    run: (context) =>
      handler.run({
        ...context,
        async step<T extends JsonValue>(name: string, fn: () => Promise<T>) {
          if (!(name in steps)) steps[name] = await context.step(name, fn)
          return steps[name] as T
        },
      }),
  }
}

/** Answers with one segment a second, named after how many pieces it has heard: `1.1 1.2`, then `2.1`. */
export function countingRecognizer(language = 'no'): Recognizer {
  let heard = 0
  return {
    describe: () => 'counts pieces and seconds',
    async recognize({ path }) {
      heard++
      const duration = await secondsOf(path)
      const segments = Array.from({ length: Math.ceil(duration) }, (_, second) => ({
        ...{ start: second, end: Math.min(second + 1, duration), text: ` ${heard}.${second + 1} ord` },
        ...{ avg_logprob: -0.2, compression_ratio: 1.1, no_speech_prob: 0.01 },
      }))
      return { outcome: 'recognised', transcription: { language, duration, segments } }
    },
  }
}

/** Answers the same whatever it hears. */
export function sayingRecognizer(segments: VerboseTranscription['segments'], language = 'no'): Recognizer {
  return {
    describe: () => 'says always the same',
    recognize: async () => ({ outcome: 'recognised', transcription: { language, duration: segments.at(-1)?.end ?? 0, segments } }),
  }
}

const rate = 16_000

/** A recording of 16 kHz, mono: a tone where the level is above 0, silence where it is 0. */
export function recording(...parts: { seconds: number; level: number }[]): Buffer {
  const samples = parts.flatMap(({ seconds, level }) =>
    Array.from({ length: Math.round(seconds * rate) }, (_, n) => Math.round(Math.sin(n / 6) * level * 32_000)),
  )
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length * 2, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length * 2, 40)
  return Buffer.concat([header, Buffer.from(Int16Array.from(samples).buffer)])
}

/** Of a flac or wav file as it was uploaded. */
async function secondsOf(path: string): Promise<number> {
  const { execFile } = await import('node:child_process')
  const { promisify } = await import('node:util')
  const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path])
  return Number(stdout)
}
