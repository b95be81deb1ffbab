import { endianness } from 'node:os'
import { PermanentError } from '@sidelinja/jobs-core'
import { quote } from '../files/relative-path.ts'
import { failureOf, silentContainer } from './audio-errors.ts'
import { isCutShort } from './audio-info.ts'
import { decodeInput } from './input.ts'
import type { OpenAudio } from './open-audio.ts'
import { type Program, runProgram } from './run-program.ts'

const bytesPerSample = 2
/** Samples come in the machine's own order, so that they can be looked at without being turned. */
const pcm = endianness() === 'LE' ? 's16le' : 's16be'

/** How to decode, and who gets the samples. */
export interface DecodeOptions {
  /** Samples per second, 1,000 … 768,000. The file's own costs least and changes no peak. */
  sampleRate: number
  /**
   * Gets the samples, mixed to one channel, in order, some thousand at a time; ffmpeg waits while it works. The array is only good during
   * the call.
   */
  onSamples: (samples: Int16Array) => void
  /** From 0 to 1, by the length the file says it has; never called when it says none. */
  onProgress?: ((fraction: number) => void) | undefined
}

/** What came of decoding a file to its end. */
export interface DecodedAudio {
  readonly decodedMs: number
  /** The length the file says it has. */
  readonly durationMs: number | undefined
  /** Over 1 % less than the file promises could be decoded: an upload or a recording that broke off. */
  readonly cutShort: boolean
}

export interface DecodeLimits {
  limitMs: number
  maxDurationMs: number
  signal: AbortSignal
}

/** Decodes a file from beginning to end, in memory that does not grow with it. */
export async function decodeInputFile(
  ffmpeg: Program,
  { input, info }: OpenAudio,
  { sampleRate, onSamples, onProgress }: DecodeOptions,
  { limitMs, maxDurationMs, signal }: DecodeLimits,
): Promise<DecodedAudio> {
  let samples = 0
  const toSamples = sampleReader()
  const decodedMs = () => (samples * 1_000) / sampleRate
  const end = await runProgram(ffmpeg, {
    args: [...decodeInput(), '-af', info.filters, '-ac', '1', '-ar', String(sampleRate), '-f', pcm, '-flush_packets', '0', 'pipe:1'],
    ...{ descriptors: [input.descriptor], signal, limitMs },
    onOutput(chunk) {
      const piece = toSamples(chunk)
      samples += piece.length
      checkLength(decodedMs(), maxDurationMs, input.path)
      onSamples(piece)
      release(chunk)
      if (info.durationMs) onProgress?.(Math.min(1, decodedMs() / info.durationMs))
    },
  })
  await input.checkUnchanged()
  const failure = failureOf(end, input.path)
  if (failure) throw failure
  if (samples === 0) throw silentContainer(input.path)
  return { decodedMs: Math.round(decodedMs()), durationMs: info.durationMs, cutShort: isCutShort(info, decodedMs()) }
}

function checkLength(ms: number, maxMs: number, path: string): void {
  if (ms <= maxMs) return
  const hours = Number((maxMs / 3_600_000).toFixed(2))
  throw new PermanentError(
    'AUDIO_TOO_LONG',
    `${quote(path)} is longer than ${hours} h, which is the most that is read. Cut it into several files.`,
  )
}

/** Pieces of a pipe end anywhere, also in the middle of a sample. */
function sampleReader(): (chunk: Buffer) => Int16Array {
  let half: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = half.length === 0 ? chunk : Buffer.concat([half, chunk])
    const whole = bytes.length - (bytes.length % bytesPerSample)
    half = Buffer.from(bytes.subarray(whole))
    const aligned = bytes.byteOffset % bytesPerSample === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer)
    return new Int16Array(aligned.buffer, aligned.byteOffset, whole / bytesPerSample)
  }
}

/**
 * Gives a chunk's memory back at once. A garbage collector that sees few and small objects lets 64 MB of such chunks pile up first.
 */
function release({ buffer, byteLength }: Buffer): void {
  // Some are parts of a pool that others use as well.
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
