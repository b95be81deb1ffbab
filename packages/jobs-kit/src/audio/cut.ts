import type { FileHandle } from 'node:fs/promises'
import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { quote } from '../files/relative-path.ts'
import { failureOf } from './audio-errors.ts'
import { decodeInput } from './input.ts'
import type { OpenAudio } from './open-audio.ts'
import { countSamples, type PieceFormat } from './piece-length.ts'
import { type Program, runProgram } from './run-program.ts'
import { openTemporaryFile } from './temporary-file.ts'

/** What recognisers work with. */
const sampleRate = 16_000

/** Which part of a file, and what it becomes. */
export interface CutOptions {
  /** Where it begins, in milliseconds from the beginning of the file. */
  startMs: number
  /** Where it ends; beyond the end of the file it ends there. */
  endMs: number
  /** Both are lossless; flac is half as large. */
  format: PieceFormat
}

/** A part of an audio file in a temporary file of its own: 16 kHz, one channel, 16 bits, without the names and pictures of the whole. */
export interface AudioPiece extends AsyncDisposable {
  /** Good until the piece is disposed of, in this process and in those it starts. It has no extension. */
  readonly path: string
  readonly sizeBytes: number
  /** Shorter than was asked for where the file ends. */
  readonly durationMs: number
}

export interface CutLimits {
  tempFolder: string
  limitMs: number
  signal: AbortSignal
}

/** Writes a part of a file to a temporary file. */
export async function cutInputFile(ffmpeg: Program, audio: OpenAudio, options: CutOptions, limits: CutLimits): Promise<AudioPiece> {
  const file = await openTemporaryFile(limits.tempFolder)
  try {
    const durationMs = await writePiece(ffmpeg, audio, options, { ...limits, piece: file.handle })
    const { size: sizeBytes } = await file.handle.stat()
    return { path: file.path, sizeBytes, durationMs, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() }
  } catch (error) {
    await file[Symbol.asyncDispose]()
    throw error
  }
}

async function writePiece(
  ffmpeg: Program,
  { input, info }: OpenAudio,
  { startMs, endMs, format }: CutOptions,
  { limitMs, signal, piece }: CutLimits & { piece: FileHandle },
): Promise<number> {
  const end = await runProgram(ffmpeg, {
    args: [
      ...decodeInput(['-ss', seconds(startMs)]),
      ...['-t', seconds(endMs - startMs), '-af', info.filters, '-ac', '1', '-ar', String(sampleRate), '-sample_fmt', 's16'],
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-bitexact', '-f', format, '-y', 'file:/dev/fd/4'],
    ],
    ...{ descriptors: [input.descriptor, piece.fd], signal, limitMs },
  })
  await input.checkUnchanged()
  const failure = failureOf(end, input.path)
  if (failure) throw failure
  const samples = await countSamples(piece, format)
  checkSamples(samples, { startMs, endMs }, input.path)
  return Math.round((samples * 1_000) / sampleRate)
}

const seconds = (ms: number) => (ms / 1_000).toFixed(3)

function checkSamples(samples: number | undefined, { startMs, endMs }: { startMs: number; endMs: number }, path: string): asserts samples {
  if (samples === undefined) {
    throw new TransientError(
      'AUDIO_TEMP_FAILED',
      `A part of ${quote(path)} was not written to its end. Is the folder of temporary files full?`,
    )
  }
  if (samples === 0) {
    throw new PermanentError(
      'AUDIO_EMPTY',
      `${quote(path)} holds no sound between ${seconds(startMs)} s and ${seconds(endMs)} s: it ends before.`,
    )
  }
}
