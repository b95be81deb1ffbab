import type { TranscriptFormat } from './transcription.ts'

/** What one call asks for, before it is put into the words of a server. */
export interface Wish {
  readonly model: string
  readonly format: TranscriptFormat
  /** ISO 639-1 as whisper knows it; undefined: find out. */
  readonly language: string | undefined
  /** '' or names, separated by commas. */
  readonly names: string
  /** '' or the end of what was said before. */
  readonly before: string
  /** Undefined: as many as the server likes. */
  readonly threads: number | undefined
}

/** Names and values; what is undefined or '' is not sent. */
export type Fields = Readonly<Record<string, string | undefined>>

/** One call in a server's own words. */
export interface DialectCall {
  /** Below the server's address, without a slash at its beginning. */
  readonly path: string
  readonly query: Fields
  /** Name of the form's file. */
  readonly fileField: string
  readonly fields: Fields
}

/** One kind of transcription server. */
export interface Dialect {
  readonly pieceFormat: 'flac' | 'wav'
  readonly defaultModel: string
  /** Says in the server's words what is wished for; pure. */
  readonly toCall: (wish: Wish) => DialectCall
}
