import type { VerboseTranscription } from './transcription.ts'

/** A file that was uploaded and lies on disk. */
export interface AudioUpload {
  path: string
  sizeBytes: number
  contentType: string | undefined
}

/** What came of listening. */
export type Recognition = { outcome: 'recognised'; transcription: VerboseTranscription } | { outcome: 'empty' } | { outcome: 'undecodable' }

/** Who makes text of the audio behind the wire format. */
export interface Recognizer {
  /** A sentence for people: what this is and what it is worth. */
  describe(): string
  /** @param options.threads - how much of the machine it may take; undefined: as much as there is. */
  recognize(audio: AudioUpload, options: { threads: number | undefined; signal: AbortSignal }): Promise<Recognition>
}
