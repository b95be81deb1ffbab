import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, inject } from 'vitest'
import { type AudioToolsOptions, createAudioTools, createFileRoot, type RootedFile } from '../../src/index.ts'

/** ffmpeg's path; null where there is none. */
export const ffmpeg = inject('ffmpeg')

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'audio')
const run = promisify(execFile)

/** A folder of media, one of temporary files, and the tools on both. */
export async function useAudio(options: AudioToolsOptions = {}) {
  const folder = join(await realpath(tmpdir()), `audio-${randomUUID()}`)
  const media = join(folder, 'media')
  const tempFolder = join(folder, 'temp')
  // Not at once: where nothing runs nobody would take them away again.
  beforeAll(async () => {
    await mkdir(media, { recursive: true })
    await mkdir(tempFolder)
  })
  afterAll(() => rm(folder, { recursive: true }))
  const root = createFileRoot({ name: 'MEDIA_ROOT', root: media })
  return {
    media,
    tempFolder,
    tools: createAudioTools({ tempFolder, ...options }),
    withTools: (more: AudioToolsOptions) => createAudioTools({ tempFolder, ...options, ...more }),
    file: (name: string): RootedFile => root.resolve(name),
    /** Copies one of the recorded files. */
    async fixture(name: string): Promise<RootedFile> {
      await copyFile(join(fixtures, name), join(media, name))
      return root.resolve(name)
    },
    /** Copies a file from elsewhere, as a piece. */
    async adopt(path: string, name: string): Promise<RootedFile> {
      await copyFile(path, join(media, name))
      return root.resolve(name)
    },
    async write(name: string, content: string | Uint8Array): Promise<RootedFile> {
      await writeFile(join(media, name), content)
      return root.resolve(name)
    },
    /** Lets ffmpeg make a file. */
    async make(name: string, ...args: string[]): Promise<RootedFile> {
      await run(ffmpeg as string, ['-nostdin', '-v', 'error', ...args, '-y', join(media, name)], { cwd: media })
      return root.resolve(name)
    },
    /** A program in ffmpeg's or ffprobe's place: a shell script, in which `$real` is the real one. */
    async program(name: 'ffmpeg' | 'ffprobe', script: string): Promise<string> {
      const path = join(await mkdtemp(join(folder, 'program-')), name)
      await writeFile(path, `#!/bin/sh\nreal=${name}\n${script}\n`, { mode: 0o755 })
      return path
    },
    temporaryFiles: () => readdir(tempFolder),
  }
}

/** For `program`: writes down its number, then does what it should. */
export const noted = 'echo $$ > "$0.pid"\nexec $real "$@"'

/** A signal that never aborts. */
export const calm = new AbortController().signal

/** `sine(5)`: five seconds of a tone, for `make`. */
export const sine = (seconds: number, frequency = 440) => ['-f', 'lavfi', '-i', `sine=frequency=${frequency}:duration=${seconds}`]

export interface WavOptions {
  sampleRate?: number
  channels?: number
  /** One of each channel. */
  frames?: number
  /** What the header says of the data's length, if not the truth. */
  claimedBytes?: number
  sampleAt?: (frame: number, channel: number) => number
}

/** A WAV file of 16 bits, also one that lies or that no program writes. */
export function wav({ sampleRate = 16_000, channels = 1, frames = 16_000, claimedBytes, sampleAt = () => 8_000 }: WavOptions = {}): Buffer {
  const data = Buffer.alloc(frames * channels * 2)
  for (let n = 0; n < frames * channels; n++) data.writeInt16LE(sampleAt(Math.floor(n / channels), n % channels), n * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE((claimedBytes ?? data.length) + 36, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE((sampleRate * channels * 2) >>> 0, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(claimedBytes ?? data.length, 40)
  return Buffer.concat([head, data])
}

/** All samples of a file at a rate. */
export async function samplesOf(tools: ReturnType<typeof createAudioTools>, file: RootedFile, sampleRate = 16_000): Promise<Int16Array> {
  const pieces: Int16Array[] = []
  await tools.decode(file, { sampleRate, onSamples: (samples) => pieces.push(samples.slice()) }, calm)
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
