/** How far one log file has been read, and how to know that file again. */
export interface LogCheckpoint {
  /** Relative to the worker's LOG_ROOT. */
  readonly path: string
  readonly device: bigint
  readonly inode: bigint
  /** In bytes, after the last whole line that was read. */
  readonly byteOffset: number
  /** SHA-256 of the file's first `headLength` bytes: 32 bytes. */
  readonly headSha256: Buffer
  /** 0 … 4,096. */
  readonly headLength: number
  /** The file's size in bytes when it was read. */
  readonly size: number
  /** The latest time any line read so far bears; null before the first line. */
  readonly lastTs: Date | null
}
