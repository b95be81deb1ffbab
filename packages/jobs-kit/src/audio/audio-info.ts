/** What an audio file says of itself. */
export interface AudioInfo {
  /** Length by what the file says, or estimated from its size; undefined when nothing tells it, as in a recording that was streamed. */
  readonly durationMs: number | undefined
  readonly channels: number
  readonly sampleRate: number
  /** As ffmpeg names it: `mp3`, `aac`, `opus`, `pcm_s16le`. */
  readonly codec: string
  readonly sizeBytes: number
  /** When the file was last written, in milliseconds since 1970. */
  readonly modifiedMs: number
}

/** What the other parts need to know beside that. */
export interface ProbedAudio extends AudioInfo {
  /** The length the file promises; undefined when it promises nothing. An estimate from the size is no promise. */
  readonly promisedMs: number | undefined
  /** Options of the filters that make a file's timeline: how it becomes one row of samples, the first at 0. */
  readonly filters: string
}

/** A hundredth may be missing, and what encoders add and players leave out at both ends. */
const toleratedShare = 0.01
const toleratedMs = 250

/** True when less could be decoded than the file promises: an upload or a recording that broke off. */
export function isCutShort({ promisedMs }: Pick<ProbedAudio, 'promisedMs'>, decodedMs: number): boolean {
  return promisedMs !== undefined && promisedMs - decodedMs > Math.max(toleratedMs, promisedMs * toleratedShare)
}
