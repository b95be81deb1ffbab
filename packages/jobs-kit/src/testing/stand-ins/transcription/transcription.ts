/** A transcript in the shape of `verbose_json`: what a recogniser hands over, and what every format is made of. */
export interface VerboseTranscription {
  /** ISO 639-1, like `en`. */
  language: string
  /** Length of the audio, in seconds. */
  duration: number
  segments: readonly VerboseSegment[]
}

/** Some words that belong together. */
export interface VerboseSegment {
  /** In seconds. */
  start: number
  end: number
  /** Begins with a space, as Whisper's does. */
  text: string
  avg_logprob?: number
  compression_ratio?: number
  no_speech_prob?: number
  words?: readonly TranscribedWord[]
}

/** One word with its time. */
export interface TranscribedWord {
  word: string
  /** In seconds. */
  start: number
  end: number
  probability: number
}
