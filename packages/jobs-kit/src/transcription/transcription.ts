import type { RunningJob } from '@sidelinja/jobs-core/worker'
import type { AudioPiece } from '../audio/cut.ts'
import type { RoughSegment } from '../subtitles/segment.ts'

/** How a transcription server wants to be spoken to. */
export type TranscriptionDialect = 'speaches' | 'openai' | 'whisper.cpp' | 'asr-webservice'

/** What is asked for: `verbose_json` has the figures that tell good text from bad; `srt` where a server has nothing better. */
export type TranscriptFormat = 'verbose_json' | 'srt'

/** Where the transcription server is, and how it is used. */
export interface TranscriptionConfig {
  /** Address of the server (WHISPER_URL), http or https; a path before the dialect's own is kept. */
  readonly url: URL
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined
  /** Default `speaches`, which faster-whisper-server speaks too. */
  readonly dialect?: TranscriptionDialect | undefined
  /** The model as the server names it. Default `Systran/faster-whisper-large-v3`, with OpenAI `whisper-1`; whisper.cpp and asr-webservice have the one they were started with. */
  readonly model?: string | undefined
  /** Default `verbose_json`. */
  readonly format?: TranscriptFormat | undefined
  /** A call may take so many times as long as its audio, and never less than ten minutes. Default 3. */
  readonly timeoutFactor?: number | undefined
}

/** What is known about the audio beside itself. */
export interface PieceOptions {
  /** Language tag of the content (`nb`, `nn`, `en`); undefined: the server finds out. */
  readonly language: string | undefined
  /** Names and terms that should be spelt right. */
  readonly names: readonly string[]
  /** What was said just before this piece; '' at the beginning. */
  readonly before: string
  /** Whose piece it is: work that somebody waits for, or that has waited long, is not put off. */
  readonly job: Pick<RunningJob, 'priority' | 'createdAt'>
  /** Told when the piece must wait for its turn because a room is live, with the reason. */
  readonly onWait?: ((reason: string) => void) | undefined
  /** Ends the call, or the wait for it. */
  readonly signal: AbortSignal
}

/** What the server heard in one piece; times count from the piece's beginning. */
export interface PieceTranscript {
  readonly segments: readonly RoughSegment[]
  /** As the server names it; null when it does not say. */
  readonly language: string | null
  /** Whether the call was made gently, and why. */
  readonly gentle: string | null
  /** What the operator should see to: the rooms cannot be looked at. */
  readonly warning: string | null
}

/** The transcription server, whichever it is. */
export interface Transcription {
  /** What a piece is to be cut into. */
  readonly pieceFormat: 'flac' | 'wav'
  /**
   * Has one piece of audio transcribed. Decides for itself whether to go gently on a live room. A piece in which nobody speaks has no segments.
   * @throws SnoozeError while a live room has the machine for itself, or the server is known to be down.
   * @throws UpstreamError, PermanentError `TRANSCRIPT_INVALID`.
   */
  transcribe(piece: AudioPiece, options: PieceOptions): Promise<PieceTranscript>
}
