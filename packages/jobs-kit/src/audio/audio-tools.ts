import { tmpdir } from 'node:os'
import type { RootedFile } from '../files/file-root.ts'
import type { AudioInfo } from './audio-info.ts'
import { checkProgram } from './check-program.ts'
import { type AudioPiece, type CutOptions, cutInputFile } from './cut.ts'
import { type DecodedAudio, type DecodeOptions, decodeInputFile } from './decode.ts'
import { createMeter, type Span } from './loudness.ts'
import { type OpenAudio, withOpenAudio } from './open-audio.ts'
import type { Program } from './run-program.ts'

/**
 * Reads audio files with ffmpeg, each in memory that does not grow with the file. Files come from strangers: ffmpeg gets the open file, may
 * open no other and no address, decodes no pictures, and has limits of time, memory and length. Positions are the same in all functions:
 * milliseconds from where a player begins.
 *
 * All throw what `FileRoot.open` throws, and:
 * - PermanentError `AUDIO_EMPTY` (no bytes, or no sound in it), `AUDIO_UNREADABLE` (no audio, damaged beyond reading, or of a kind that is not read), `AUDIO_TRACK_MISSING` (a
 *   picture or a video without sound), `AUDIO_TOO_LONG`;
 * - TransientError `AUDIO_CHANGED` (still being written), `FILE_READ_FAILED`, `AUDIO_TEMP_FAILED` (no room for a piece), `FFMPEG_FAILED`, `FFMPEG_TIMEOUT`;
 * - the signal's reason when it aborts; ffmpeg is gone by then.
 */
export interface AudioTools {
  /** What the file says of itself. It may be wrong: only decoding tells. */
  probe(file: RootedFile, signal: AbortSignal): Promise<AudioInfo>
  /** Decodes the whole file, and finds where it is silent. Three hours take some ten seconds. */
  measure(
    file: RootedFile,
    options: MeasureOptions,
    signal: AbortSignal,
    onProgress?: (fraction: number) => void,
  ): Promise<AudioMeasurement>
  /** Makes a file of a part of it, as recognisers want it. Dispose of it when done. */
  cut(file: RootedFile, options: CutOptions, signal: AbortSignal): Promise<AudioPiece>
  /** Decodes the whole file and hands on its samples. */
  decode(file: RootedFile, options: DecodeOptions, signal: AbortSignal): Promise<DecodedAudio>
  /**
   * For start-up: both programs can be run. `needed` begins the sentence about one that cannot, like `generate_waveform needs`.
   * @throws ConfigurationError `FFMPEG_MISSING`, which names the package to install and the variable to set.
   */
  check(needed?: string): Promise<void>
}

/** What counts as silence. */
export interface MeasureOptions {
  /** Decibels below full scale. Default -40. */
  noiseDb?: number | undefined
  /** Shorter pauses are not reported. Default 500. */
  minSilenceMs?: number | undefined
}

/** How long a recording is, where it is silent and how loud it gets. */
export interface AudioMeasurement extends DecodedAudio {
  /** In order; at most 10,000, of more the longest. */
  readonly silences: readonly Span[]
  /** The loudest sample, in decibels below full scale; -90.3 when there is nothing but zeros. */
  readonly maxVolumeDb: number
}

/** Where the programs are, and their limits. */
export interface AudioToolsOptions {
  /** Default `ffmpeg`, looked up in PATH. */
  ffmpegPath?: string | undefined
  /** Default `ffprobe`. */
  ffprobePath?: string | undefined
  /** Where pieces are kept: 2 MB for each minute. Default the system's folder for temporary files. */
  tempFolder?: string | undefined
  /** Longer files are refused. Default 24 h. */
  maxDurationMs?: number | undefined
  /** How long one run of ffmpeg may take. Default 1 h. */
  limitMs?: number | undefined
}

const HOUR_MS = 3_600_000
const probeLimitMs = 60_000
/** Enough to tell speech from silence. */
const meterSampleRate = 16_000

/** Makes the tools. Nothing is run before they are used. */
export function createAudioTools(options: AudioToolsOptions = {}): AudioTools {
  const ffmpeg: Program = { name: 'ffmpeg', path: options.ffmpegPath || 'ffmpeg', variable: 'FFMPEG_PATH' }
  const ffprobe: Program = { name: 'ffprobe', path: options.ffprobePath || 'ffprobe', variable: 'FFPROBE_PATH' }
  const { limitMs = HOUR_MS, maxDurationMs = 24 * HOUR_MS, tempFolder = tmpdir() } = options
  const withAudio = <T>(file: RootedFile, signal: AbortSignal, use: (audio: OpenAudio) => T | Promise<T>) =>
    withOpenAudio(ffprobe, file, { signal, limitMs: Math.min(limitMs, probeLimitMs) }, use)
  const decode: AudioTools['decode'] = (file, how, signal) =>
    withAudio(file, signal, (audio) => decodeInputFile(ffmpeg, audio, how, { limitMs, maxDurationMs, signal }))
  return Object.freeze({
    decode,
    probe: (file, signal) => withAudio(file, signal, ({ info: { promisedMs, filters, ...info } }) => info),
    async measure(file, { noiseDb = -40, minSilenceMs = 500 }, signal, onProgress) {
      const sampleRate = meterSampleRate
      const meter = createMeter({ sampleRate, noiseDb, minSilenceMs })
      const decoded = await decode(file, { sampleRate, onSamples: meter.add, onProgress }, signal)
      return { ...decoded, ...meter.end() }
    },
    cut: (file, what, signal) => withAudio(file, signal, (audio) => cutInputFile(ffmpeg, audio, what, { tempFolder, limitMs, signal })),
    async check(needed) {
      for (const program of [ffmpeg, ffprobe]) await checkProgram({ ...program, needed })
    },
  } satisfies AudioTools)
}
