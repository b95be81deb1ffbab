/** A text that gets a vector of its own. */
export interface Chunk {
  readonly text: string
  /** Of what is spoken: where in the recording, in milliseconds. */
  readonly startMs: number | null
  readonly endMs: number | null
}
